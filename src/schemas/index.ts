import { activity } from "./activity.ts";
import { log } from "./log.ts";
import { result } from "./result.ts";
import type { Schema } from "./schema.ts";
import { stream } from "./stream.ts";

/** Every published schema, by the view whose records it describes. */
export const schemas: Record<string, Schema> = { activity, stream, result, log };
