import type { Schema } from "../base/index.ts";
import { activitySchema } from "./activity/index.ts";
import { captureSchema } from "./capture/index.ts";
import { conversationSchema } from "./conversation/index.ts";
import { decisionSchema } from "./decision/index.ts";
import { graphSchema } from "./graph/index.ts";
import { logSchema } from "./log/index.ts";
import { markdownSchema } from "./markdown/index.ts";
import { requestsSchema } from "./requests/index.ts";
import { resultSchema } from "./result/index.ts";
import { streamSchema } from "./stream/index.ts";
import { summarySchema } from "./summary/index.ts";
import { trajectorySchema } from "./trajectory/index.ts";
import { truthSchema } from "./truth/index.ts";
import type { ViewId } from "./views.ts";

/** The published schema of every view. */
export const viewSchemas = {
  activity: activitySchema,
  stream: streamSchema,
  result: resultSchema,
  log: logSchema,
  trajectory: trajectorySchema,
  capture: captureSchema,
  summary: summarySchema,
  markdown: markdownSchema,
  conversation: conversationSchema,
  graph: graphSchema,
  decision: decisionSchema,
  truth: truthSchema,
  requests: requestsSchema,
} as const satisfies Record<ViewId, Schema>;
