import { createContext, Script } from "node:vm";
import { z } from "zod";
import { breathing, budgetOf, reader, walk } from "../../../host/workspace/index.ts";
import { isLike } from "../../../pure/base/index.ts";
import type { OpenDirectory, WorkspaceFiles } from "../workspace-files.ts";
import { UNLISTED } from "./list-tool.ts";
import { fitted, ourTool } from "./our-tool.ts";

const MOST_MATCHES = 200;
const LONGEST_LINE = 300;
const LARGEST = 4 * 2 ** 20;
const PATIENCE_MS = 30_000;
/** The time limit of an expression for one file. Meanwhile the whole process waits. */
const ONE_FILE_MS = 250;

export const searchTool = (files: WorkspaceFiles) =>
  ourTool({
    description: `Searches the text files of the workspace for a regular expression (JavaScript's). Leaves ${UNLISTED.join(" and ")} out.`,
    shape: {
      pattern: z.string().min(1),
      path: z.string().optional().describe("The directory or file to search in; default: the workspace's root"),
      include: z.string().optional().describe("Only files with a matching name or path (* and ?)"),
    },
    async run({ pattern, path = ".", include }, { signal }) {
      const match = matcher(pattern);
      const found: string[] = [];
      let skipped = 0;
      let isCut = false;
      const breath = breathing();
      for (const { name, text } of textsIn(files, path, include)) {
        const hits = match(text);
        if (hits === undefined) skipped++;
        for (const [line, content] of hits ?? []) found.push(`${name}:${line}: ${content}`);
        isCut = found.length >= MOST_MATCHES;
        if (isCut || signal.aborted) break;
        if (breath.due()) await breath.take();
      }
      const lines = found.slice(0, MOST_MATCHES);
      const notes = [...(isCut ? ["… (more)"] : []), ...(skipped > 0 ? [`(${skipped} files took too long)`] : [])];
      return {
        context: [...(lines.length === 0 ? ["(no match)"] : lines), ...notes].join("\n"),
        result: { matches: lines.length, truncated: isCut, skipped },
      };
    },
  });

/** A regular expression can run practically forever; `vm` can stop it. Undefined: it was stopped. */
function matcher(pattern: string): (text: string) => readonly (readonly [number, string])[] | undefined {
  const expression = new RegExp(pattern, "u"); // its error is the sentence for the model
  const room = createContext({ expression, text: "", most: MOST_MATCHES });
  const script = new Script(`{
    const hits = [];
    let line = 1;
    for (const each of text.split("\\n")) {
      if (expression.test(each)) hits.push([line, each]);
      if (hits.length > most) break;
      line++;
    }
    hits;
  }`);
  return (text) => {
    room["text"] = text;
    try {
      const hits = script.runInContext(room, { timeout: ONE_FILE_MS }) as readonly (readonly [number, string])[];
      return hits.map(([line, content]) => [line, fitted(content.trimEnd(), LONGEST_LINE).text] as const);
    } catch {
      return undefined;
    }
  };
}

function* textsIn(
  files: WorkspaceFiles,
  path: string,
  include: string | undefined,
): Generator<{ readonly name: string; readonly text: string }> {
  const directory = directoryAt(files, path);
  if (directory === undefined) {
    yield { name: path, text: files.read(path).toString("utf8") };
    return;
  }
  const budget = budgetOf({ milliseconds: PATIENCE_MS, fileBytes: LARGEST });
  const read = reader(budget);
  try {
    for (const step of walk(directory.at, { ignore: UNLISTED, budget, mayBeLink: true })) {
      if (budget.expired()) return;
      if (step.step !== "entry" || step.type !== "file") continue;
      const name = directory.path === "" ? step.path : `${directory.path}/${step.path}`;
      if (include !== undefined && !isLike(step.name, include) && !isLike(name, include)) continue;
      const pieces: Buffer[] = [];
      const got = read(step.at, (piece) => pieces.push(Buffer.from(piece)));
      const bytes = Buffer.concat(pieces);
      if (!("unread" in got) && !bytes.subarray(0, 8192).includes(0)) yield { name, text: bytes.toString("utf8") };
    }
  } finally {
    directory.close();
  }
}

function directoryAt(files: WorkspaceFiles, path: string): OpenDirectory | undefined {
  try {
    return files.openDirectory(path);
  } catch {
    return undefined; // a file, or nothing: reading it will show
  }
}
