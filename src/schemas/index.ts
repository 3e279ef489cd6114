import { activity } from "./activity.ts";
import { capture } from "./capture.ts";
import { decision } from "./decision.ts";
import { log } from "./log.ts";
import { markdown } from "./markdown.ts";
import { result } from "./result.ts";
import type { Schema } from "./schema.ts";
import { stream } from "./stream.ts";
import { summary } from "./summary.ts";
import { trajectory } from "./trajectory.ts";
import { truth } from "./truth.ts";

/** Every published schema, by the view whose records it describes. */
export const schemas: Record<string, Schema> = { activity, stream, result, log, trajectory, capture, summary, markdown, decision, truth };
