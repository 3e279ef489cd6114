import type { View } from "../core/view.ts";
import { activity } from "./activity.ts";
import { log } from "./log.ts";
import { result } from "./result.ts";
import { stream } from "./stream.ts";

/** Every view, by id. Adding one: its file, a line here, its goldens. */
export const views = { activity, stream, result, log } as const satisfies Record<string, View>;

export type ViewId = keyof typeof views;
