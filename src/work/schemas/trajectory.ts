import { z } from "zod";
import { type Refs, TRAJECTORY_VERSION, type TrajectoryStep } from "../../pure/views/index.ts";
import { count, type Fields, refs } from "./parts.ts";
import type { Same } from "./same.ts";
import { type ObjectOf, type RecordOf, schema } from "./schema.ts";

function record(object: ObjectOf) {
  return stepOf(object, refs());
}

/** A step, alone or in a capture. */
export function stepOf<F extends Fields>(object: ObjectOf, more: F) {
  const common = {
    timestamp: count().describe("Milliseconds since the run started; of a tool call, when it started"),
    stepId: z.string().describe("<case>-step-<n>, counted from 1"),
    subagentId: z.string().exactOptional().describe("The subagent whose step it is; absent for the main thread"),
    ...more,
  };
  return z.discriminatedUnion("type", [
    object({ type: z.literal(["thought", "message"]), content: z.string(), ...common }).describe("What the agent thought, or said"),
    object({
      type: z.literal("tool_call"),
      name: z.string(),
      status: z.enum(["completed", "failed", "in_progress"]).describe("in_progress: the run ended before the call did"),
      input: z.unknown().optional().describe("As the agent gave it"),
      output: z.string().exactOptional(),
      duration: count().exactOptional().describe("Milliseconds; left out where nobody held a clock"),
      ...common,
    }).describe("A tool call"),
    object({
      type: z.literal("plan"),
      entries: z.array(object({ text: z.string(), status: z.enum(["pending", "in_progress", "completed", "unknown"]) })),
      ...common,
    }).describe("The agent's list of what to do"),
  ]);
}

true satisfies Same<RecordOf<typeof record>, TrajectoryStep & Partial<Refs>>;

export const trajectory = schema({
  name: "trajectory",
  version: TRAJECTORY_VERSION,
  title: "Trajectory step",
  description: "What the agent thought, said or called: one step per line, in the order in which they were completed.",
  record,
});
