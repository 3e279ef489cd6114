import type { View } from "../pipeline/view.ts";
import { activity } from "./activity/view.ts";
import { capture } from "./capture/view.ts";
import { conversation } from "./conversation/view.ts";
import { decision } from "./decision/view.ts";
import { graph } from "./graph/view.ts";
import { log } from "./log/view.ts";
import { markdown } from "./markdown/view.ts";
import { result } from "./result/view.ts";
import { stream } from "./stream/view.ts";
import { summary } from "./summary/view.ts";
import { trajectory } from "./trajectory/view.ts";
import { truth } from "./truth/view.ts";

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
