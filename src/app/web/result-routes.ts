import { statSync } from "node:fs";
import type { Refusal } from "../../host/listen/index.ts";
import type { ResultsPage } from "../../pure/timeline/index.ts";
import { sendJson } from "./reply.ts";
import { resultCase } from "./result-case.ts";
import { indexResults, type ResultIndex } from "./result-index.ts";
import type { RunList } from "./run-list.ts";
import type { Ask } from "./run-routes.ts";

const MOST_ROWS = 4000;
const NO_CASE: Refusal = { status: 404, message: "These results have no such case." };

/**
 * Serves `/api/results` for the files named on the command line, and no others. A file that has grown since the last request is read
 * again.
 */
export function resultRoutes(paths: readonly string[], list: RunList) {
  let known: { readonly version: string; readonly index: Promise<ResultIndex> } | undefined;

  function current(): { readonly version: string; readonly index: Promise<ResultIndex> } {
    const version = versionOf(paths);
    if (known?.version === version) return known;
    const read = { version, index: indexResults(paths) };
    known = read;
    read.index.catch(() => {
      if (known === read) known = undefined; // the next request tries again
    });
    return read;
  }

  async function summary({ response, query }: Ask): Promise<undefined> {
    const { version, index } = current();
    if (query.get("known") === version) {
      sendJson(response, { version });
      return undefined;
    }
    const { report, sides, rows, flakiest } = await index;
    const page: ResultsPage = { version, files: paths, sides, pairs: report.pairs, cases: rows.length, flakiest };
    sendJson(response, page);
    return undefined;
  }

  async function rows({ response, query }: Ask): Promise<Refusal | undefined> {
    const from = /^\d{1,9}$/.exec(query.get("from") ?? "0")?.[0];
    if (from === undefined) return { status: 400, message: "The parameter from must be a number." };
    const { rows: all } = await current().index;
    sendJson(response, all.slice(Number(from), Number(from) + MOST_ROWS));
    return undefined;
  }

  return async (rest: string, ask: Ask): Promise<Refusal | undefined> => {
    if (paths.length === 0)
      return { status: 404, message: "No results are open. Start the page with a file from capture or trials: harness view results.jsonl" };
    if (rest === "") return summary(ask);
    if (rest === "/rows") return rows(ask);
    const [, key] = /^\/([0-9a-f]{16})$/.exec(rest) ?? [];
    if (key === undefined) return NO_CASE;
    const index = await current().index;
    const found = index.find(key);
    if (found === undefined) return NO_CASE;
    const labels = index.sides.map(({ label }) => label);
    sendJson(
      ask.response,
      resultCase({ key, ...found }, labels, (run) => list.directory(run) !== undefined),
    );
    return undefined;
  };
}

/** Changes whenever a file does. A missing file has a version too; reading it then reports the error. */
function versionOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const file = statSync(path, { throwIfNoEntry: false });
      return file === undefined ? "gone" : `${file.ino}.${file.size}.${file.mtimeMs}`;
    })
    .join("-");
}
