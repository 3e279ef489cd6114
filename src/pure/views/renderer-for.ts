import { printableJson } from "../base/index.ts";
import { renderActivity } from "./activity/index.ts";
import { renderDecision } from "./decision/index.ts";
import { renderLog } from "./log/index.ts";
import { renderResult } from "./result/index.ts";
import type { Terminal } from "./row.ts";
import { renderStream } from "./stream/index.ts";
import { renderTruth } from "./truth/index.ts";

/** A record as text for people, with its newline; empty if there is nothing to show. */
type Renderer = (record: object, terminal: Terminal) => string;

const renderers: Readonly<Record<string, unknown>> = {
  activity: renderActivity,
  stream: renderStream,
  result: renderResult,
  log: renderLog,
  decision: renderDecision,
  truth: renderTruth,
};

/** How a terminal shows a view's records; a view without a renderer is shown as JSON. */
export function rendererFor(view: string, terminal: Terminal): (record: object) => string {
  const render = renderers[view] as Renderer | undefined;
  return (record) => render?.(record, terminal) ?? `${printableJson(JSON.stringify(record))}\n`;
}
