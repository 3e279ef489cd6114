import type { Schema as Shaped } from "../../pure/base/index.ts";
import { logSchema as log } from "../../pure/views/index.ts";
import { activity } from "./activity.ts";
import { capture } from "./capture.ts";
import { conversation } from "./conversation.ts";
import { decision } from "./decision.ts";
import { captureResult, caseSchema, comparison, preference, trialResult } from "./evaluation.ts";
import { graph } from "./graph.ts";
import { markdown } from "./markdown.ts";
import { result } from "./result.ts";
import type { Schema } from "./schema.ts";
import { stream } from "./stream.ts";
import { summary } from "./summary.ts";
import { trajectory } from "./trajectory.ts";
import { truth } from "./truth.ts";

/** Every published schema, by its name: of the views, and of what evaluations read and write. */
export const schemas: Record<string, Schema | Shaped> = {
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
  case: caseSchema,
  "capture-result": captureResult,
  "trial-result": trialResult,
  comparison,
  preference,
};
