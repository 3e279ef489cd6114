import {
  anything,
  described,
  type Fields,
  flag,
  isoTime,
  number,
  type OneOf,
  object,
  oneOf,
  optional,
  type Static,
  text,
  union,
  yes,
} from "../../base/index.ts";
import { viewSchema } from "../view-schema.ts";

const message = text;
const path = described(text, "Absolute if the agent or the working directory makes it so");
const line = optional(number, "One-based; the range is inclusive");
const isSuccess = optional(flag, "Left out if the agent does not report it");

function event<T extends string, F extends Fields>(type: OneOf<T>, description: string, fields: F) {
  const common = {
    timestamp: described(isoTime, "When it was observed, ISO 8601"),
    sessionId: optional(text, "The agent's own session id, once it is known"),
    subagentId: optional(text, "The subagent that did this; for orchestration, the subagent it is about"),
  };
  return described(object({ type, ...common, ...fields }), description);
}

/** The activity events of specification 000. Never contents: no file text, no command output, no search results. */
const activity = union("type", [
  event(oneOf("agent"), "What the agent said", { message }),
  event(oneOf("reasoning"), "The model's reasoning; only with --reasoning", { message }),
  event(oneOf("command"), "A shell command; never its output", {
    command: text,
    workingDirectory: optional(text),
    exitCode: optional(number),
    isSuccess,
  }),
  event(oneOf("read", "write"), "A file; never its contents", { path, startLine: line, endLine: line, isSuccess }),
  event(oneOf("search"), "A search; never what it found", { query: text, path: optional(path), isSuccess }),
  event(oneOf("list"), "A directory; never its entries", { path: optional(path), isSuccess }),
  event(oneOf("skill"), "The use of a skill", { path, skillName: optional(text), isSuccess }),
  event(oneOf("orchestration"), "The start or end of a subagent", {
    action: oneOf("subagent_started", "subagent_completed", "subagent_failed"),
    subagentName: optional(text),
    isSuccess,
  }),
  event(oneOf("error", "warning"), "A message about the agent's program itself", { message, code: optional(text) }),
  event(oneOf("unknown"), "Output that fits no other type, as the agent printed it", {
    raw: described(anything, "Any JSON value; a string for output that is not JSON"),
    truncated: described(yes, "The stream ended in the middle of this line"),
    oversize: described(yes, "raw is only the beginning of a very long line"),
    encoding: optional(oneOf("base64"), "raw is the base64 of bytes that are not text"),
  }),
]);
export type Activity = Static<typeof activity>;

export const activitySchema = viewSchema({
  name: "activity",
  version: "1.0",
  title: "Activity event",
  description: "One action of an agent: a record of the activity view, one per line. Unset optional fields are left out.",
  shape: activity,
});
