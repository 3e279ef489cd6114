import { type View, viewOf } from "../../pipeline/index.ts";
import { type Capture, capture } from "../capture/index.ts";
import type { Summary } from "./schema.ts";

export const summary: View<Summary> = viewOf(
  capture,
  { id: "summary", title: "The run in one line: input, output, tool calls, duration" },
  summaryOf,
);

export function summaryOf({ id, input, output, trajectory, timing }: Capture): Summary {
  const toolCalls = trajectory.flatMap((step) => (step.type === "tool_call" ? [step.tool ?? step.name] : []));
  return { id, input, output, toolCalls, duration: timing.end - timing.start };
}
