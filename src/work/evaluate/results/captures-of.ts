import { isObject, type JsonObject, numberOf, stringOf } from "../../../pure/base/index.ts";
import type { Capture, TrajectoryStep } from "../../../pure/views/index.ts";
import { trialsIn } from "./read-results.ts";

/** The captures in a results line from any writer; a line of `trials` has one per trial. Missing fields stay empty. */
export function capturesOf(line: JsonObject & { readonly id: string }): Capture[] {
  return trialsIn(line).map((trial) => {
    const steps = Array.isArray(trial["trajectory"]) ? (trial["trajectory"] as TrajectoryStep[]) : [];
    const duration = numberOf(trial["duration"]);
    return {
      id: line.id,
      input: inputOf(line["input"]),
      output: stringOf(trial["output"]) ?? "",
      ...(typeof line["expected"] === "string" ? { expected: line["expected"] } : {}),
      trajectory: steps,
      metadata: isObject(line["metadata"]) ? { ...line["metadata"] } : {},
      timing: timingOf(trial["timing"]) ?? { start: 0, end: duration ?? 0 },
      toolErrors: steps.some((step) => step.type === "tool_call" && step.status === "failed"),
    };
  });
}

function inputOf(input: unknown): string | string[] {
  return Array.isArray(input) ? input.map(String) : (stringOf(input) ?? "");
}

function timingOf(timing: unknown): Capture["timing"] | undefined {
  if (!isObject(timing)) return undefined;
  const [start, end] = [numberOf(timing["start"]), numberOf(timing["end"])];
  return start === undefined || end === undefined ? undefined : { start, end };
}
