import { nothing } from "../../base/index.ts";
import type { View } from "../../pipeline/index.ts";
import { type Capture, captureParts } from "../capture/index.ts";
import type { TrajectoryStep } from "../trajectory/index.ts";
import type { Summary } from "./schema.ts";

/** Most agents have a few dozen tools. The titles of some differ for each call. */
const MOST_NAMES = 1000;

export const summary: View<Summary> = {
  id: "summary",
  title: "The run in one line: input, output, tool calls, duration",
  open(options) {
    const parts = captureParts(options);
    const toolCalls: string[] = [];
    const known = new Map<string, string>(); // one text for a name of a million calls
    return {
      push(event) {
        const { steps, rest } = parts(event);
        for (const name of steps.flatMap(calledIn)) {
          if (known.size < MOST_NAMES && !known.has(name)) known.set(name, name);
          toolCalls.push(known.get(name) ?? name);
        }
        return rest === undefined ? nothing : [summed(rest, toolCalls)];
      },
      end: () => nothing,
    };
  },
};

export function summaryOf(record: Capture): Summary {
  return summed(record, record.trajectory.flatMap(calledIn));
}

function calledIn(step: TrajectoryStep): readonly string[] {
  return step.type === "tool_call" ? [step.tool ?? step.name] : nothing;
}

function summed({ id, input, output, timing }: Omit<Capture, "trajectory">, toolCalls: string[]): Summary {
  return { id, input, output, toolCalls, duration: timing.end - timing.start };
}
