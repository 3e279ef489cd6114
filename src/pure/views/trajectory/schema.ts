import { anything, count, described, list, object, oneOf, optional, type Static, text, union } from "../../base/index.ts";
import { planItem } from "../../events/index.ts";
import { viewSchema } from "../view-schema.ts";

export const TRAJECTORY_VERSION = "1.0";

const common = {
  timestamp: described(count, "Milliseconds since the run started; of a tool call, when it started"),
  stepId: described(text, "<case>-step-<n>, counted from 1"),
  subagentId: optional(text, "The subagent whose step it is; absent for the main thread"),
};

/** A step of specification 004's trajectory, in the order in which steps were completed. */
export const trajectoryStep = union("type", [
  described(object({ type: oneOf("thought", "message"), content: text, ...common }), "What the agent thought, or said"),
  described(
    object({
      type: oneOf("tool_call"),
      name: text,
      /** A call of which nobody told how it ended is `completed`. */
      status: described(oneOf("completed", "failed", "in_progress"), "in_progress: the run ended before the call did"),
      input: optional(anything, "As the agent gave it"),
      output: optional(text),
      duration: optional(count, "Milliseconds; left out where nobody held a clock"),
      ...common,
    }),
    "A tool call",
  ),
  described(object({ type: oneOf("plan"), entries: list(planItem), ...common }), "The agent's list of what to do"),
]);
export type TrajectoryStep = Static<typeof trajectoryStep>;

export const trajectorySchema = viewSchema({
  name: "trajectory",
  version: TRAJECTORY_VERSION,
  title: "Trajectory step",
  description: "What the agent thought, said or called: one step per line, in the order in which they were completed.",
  shape: trajectoryStep,
});
