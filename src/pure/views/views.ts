import type { View } from "../pipeline/index.ts";
import { activity } from "./activity/index.ts";
import { capture } from "./capture/index.ts";
import { conversation } from "./conversation/index.ts";
import { decision } from "./decision/index.ts";
import { graph } from "./graph/index.ts";
import { log } from "./log/index.ts";
import { markdown } from "./markdown/index.ts";
import { requests } from "./requests/index.ts";
import { result } from "./result/index.ts";
import { stream } from "./stream/index.ts";
import { summary } from "./summary/index.ts";
import { trajectory } from "./trajectory/index.ts";
import { truth } from "./truth/index.ts";

/** Every view by id. To add one: its folder, a line here, its goldens. */
export const views = {
  activity,
  stream,
  result,
  log,
  trajectory,
  capture,
  summary,
  markdown,
  conversation,
  graph,
  decision,
  truth,
  requests,
} as const satisfies Record<string, View>;

export type ViewId = keyof typeof views;

/** The views that observed runs keep outside their directory, by file, if their run.json does not name them. */
export const unnamedOutside: Readonly<Record<string, ViewId>> = { "events.jsonl": "decision" };
