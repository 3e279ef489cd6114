import { isObject, type JsonObject, numberOf, spelled, stringOf } from "../../../pure/base/index.ts";
import type { Capture, TrajectoryStep } from "../../../pure/views/index.ts";
import { trialsIn } from "./read-results.ts";

/** The captures in a results line from any writer; a line of `trials` has one per trial. Missing fields stay empty. */
export function capturesOf(line: JsonObject & { readonly id: string }): Capture[] {
  return trialsIn(line).map((trial) => {
    const trialNum = numberOf(trial["trialNum"]);
    const steps = stepsOf(trial["trajectory"], trialNum === undefined ? line.id : `${line.id}-trial-${trialNum}`);
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

/** The steps that can be read. Results of earlier tools have no step ids: specification 004 defines them by position. */
function stepsOf(trajectory: unknown, prefix: string): TrajectoryStep[] {
  if (!Array.isArray(trajectory)) return [];
  return trajectory.flatMap((step: unknown, index): TrajectoryStep[] => {
    if (!isObject(step)) return [];
    const stepId = stringOf(step["stepId"]) ?? `${prefix}-step-${index + 1}`;
    const common = { ...step, timestamp: numberOf(step["timestamp"]) ?? 0, stepId };
    switch (step["type"]) {
      case "thought":
      case "message":
        return [{ ...common, type: step["type"], content: stringOf(step["content"]) ?? "" }];
      case "tool_call":
        return [{ ...common, type: "tool_call", name: stringOf(step["name"]) ?? "unknown", status: statusOf(step["status"]) }];
      case "plan":
        return [{ ...common, type: "plan", entries: Array.isArray(step["entries"]) ? step["entries"] : [] }];
      default:
        return [];
    }
  });
}

/** Other tools have more statuses than ours: they are shown as written. */
function statusOf(status: unknown): Call["status"] {
  return (stringOf(status) ?? "unknown") as Call["status"];
}

type Call = Extract<TrajectoryStep, { readonly type: "tool_call" }>;

function inputOf(input: unknown): string | string[] {
  return Array.isArray(input) ? input.map(spelled) : (stringOf(input) ?? "");
}

function timingOf(timing: unknown): Capture["timing"] | undefined {
  if (!isObject(timing)) return undefined;
  const [start, end] = [numberOf(timing["start"]), numberOf(timing["end"])];
  return start === undefined || end === undefined ? undefined : { start, end };
}
