import type { View } from "../core/view.ts";
import { activity } from "./activity.ts";
import { capture } from "./capture.ts";
import { conversation } from "./conversation.ts";
import { decision } from "./decision.ts";
import { graph } from "./graph.ts";
import { log } from "./log.ts";
import { markdown } from "./markdown.ts";
import { result } from "./result.ts";
import { stream } from "./stream.ts";
import { summary } from "./summary.ts";
import { trajectory } from "./trajectory.ts";
import { truth } from "./truth.ts";

/** Every view, by id. Adding one: its file, a line here, its goldens. */
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
} as const satisfies Record<string, View>;

export type ViewId = keyof typeof views;
