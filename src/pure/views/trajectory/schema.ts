import { anything, count, described, list, object, oneOf, optional, type Static, text, union } from "../../base/index.ts";
import { viewSchema } from "../view-schema.ts";

export const TRAJECTORY_VERSION = "1.1";

const common = {
  timestamp: described(count, "When it began, in milliseconds since the run started"),
  stepId: described(text, "<case>-step-<n>, counted from 1"),
  subagentId: optional(text, "The subagent that took the step; absent for the main thread"),
};

/** A step of specification 004's trajectory. Steps are in the order in which they began. */
export const trajectoryStep = union("type", [
  described(object({ type: oneOf("thought", "message"), content: text, ...common }), "What the agent thought or said"),
  described(
    object({
      type: oneOf("tool_call"),
      name: described(text, "The title of the call over the Agent Client Protocol, otherwise the tool's name"),
      tool: optional(text, "The tool's name, if the agent gives one next to a title"),
      /** A call whose outcome was not reported is `completed`. */
      status: described(oneOf("completed", "failed", "in_progress"), "in_progress: the run ended before the call did"),
      input: optional(anything, "As the agent gave it"),
      output: optional(anything, "A text, or the raw output over the Agent Client Protocol"),
      duration: optional(count, "Milliseconds; left out if unknown"),
      ...common,
    }),
    "A tool call",
  ),
  described(
    object({ type: oneOf("plan"), entries: list(anything), ...common }),
    "The agent's to-do list: entries as sent over the Agent Client Protocol, otherwise text and status",
  ),
]);
export type TrajectoryStep = Static<typeof trajectoryStep>;

export const trajectorySchema = viewSchema({
  name: "trajectory",
  version: TRAJECTORY_VERSION,
  title: "Trajectory step",
  description: "What the agent thought, said or called: one step per line, in the order in which they began.",
  shape: trajectoryStep,
});
