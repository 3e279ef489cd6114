import { statSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { agentOfRun, deriveRun, type RunManifest, runPaths } from "../../host/recording/index.ts";
import { textOf, type View } from "../../pure/pipeline/index.ts";
import { keepsWholeRun, MOST_KEPT } from "../../pure/timeline/index.ts";
import { type ViewId, views } from "../../pure/views/index.ts";
import type { Refusal } from "./guard.ts";
import { headers } from "./headers.ts";

/** How long others wait for their turn. */
const TURN_MS = 8;

/** A view of a whole run as a file, as `derive` prints it: made while it is sent, and no faster than it is read. */
export async function sendView(
  response: ServerResponse,
  manifest: RunManifest,
  directory: string,
  id: string,
): Promise<Refusal | undefined> {
  const view: View | undefined = Object.hasOwn(views, id) ? views[id as ViewId] : undefined;
  if (view === undefined) return { status: 404, words: `There is no view ${id}.` };
  if (keepsWholeRun(view) && (statSync(runPaths(directory).stdout, { throwIfNoEntry: false })?.size ?? 0) > MOST_KEPT)
    return { status: 413, words: `This run is too long to be kept whole here; harness derive ${manifest.id} --view ${id} prints it.` };
  const agent = await agentOfRun(manifest);
  const name = `${manifest.id}.${id}.${view.text === undefined ? "jsonl" : "md"}`;
  const type = { "content-type": "text/plain; charset=utf-8", "content-disposition": `attachment; filename="${name}"` };
  response.writeHead(200, { ...headers, ...type });
  if (response.req.method === "HEAD") {
    response.end();
    return undefined;
  }
  let turn = performance.now();
  for await (const records of deriveRun(manifest, directory, agent, view)) {
    const text = textOf(view, records);
    if (text !== "" && !response.write(text)) await drained(response);
    if (response.destroyed) return undefined; // nobody reads it any more
    if (performance.now() - turn < TURN_MS) continue;
    await nextTurn();
    turn = performance.now();
  }
  response.end();
  return undefined;
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}
