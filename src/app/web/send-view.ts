import { statSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Refusal } from "../../host/listen/index.ts";
import { agentOfRun, deriveRun, type RunManifest, runPaths } from "../../host/recording/index.ts";
import { recorded } from "../../host/sink/index.ts";
import { textOf, type View } from "../../pure/pipeline/index.ts";
import { MOST_KEPT } from "../../pure/timeline/index.ts";
import { type ViewId, views } from "../../pure/views/index.ts";
import { headers } from "./headers.ts";
import { sendPart } from "./reply.ts";

/** Other requests get a turn after this time. */
const TURN_MS = 8;

/** Streams a view of the whole run as a download, as `derive` prints it, no faster than the client reads. */
export async function sendView(
  response: ServerResponse,
  manifest: RunManifest,
  directory: string,
  id: string,
): Promise<Refusal | undefined> {
  const view: View | undefined = Object.hasOwn(views, id) ? views[id as ViewId] : undefined;
  if (view === undefined) return { status: 404, message: `There is no view ${id}.` };
  if (view.holdsRun === true && (statSync(runPaths(directory).stdout, { throwIfNoEntry: false })?.size ?? 0) > MOST_KEPT)
    return { status: 413, message: `This run is too long for this view on the page. Use: harness derive ${manifest.id} --view ${id}` };
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
    if (text !== "" && !sendPart(response, recorded(text))) await drained(response);
    if (response.destroyed) return undefined; // the client left
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
