import { nothing, type Translator } from "../../base/index.ts";
import type { BodyOf, Event, ToolEndBody } from "../../events/index.ts";
import type { View, ViewOptions } from "../../pipeline/index.ts";
import type { TrajectoryStep } from "./schema.ts";

type Common = Pick<TrajectoryStep, "timestamp" | "stepId" | "subagentId">;

export const trajectory: View<TrajectoryStep> = {
  id: "trajectory",
  title: "Thoughts, messages and calls: specification 004's trajectory",
  open,
};

function open(options: ViewOptions = {}): Translator<Event, TrajectoryStep> {
  const prefix = options.evaluated?.id ?? "run";
  let startedAt: number | undefined;
  let count = 0;

  function step<T extends object>(at: number, parent: string | undefined, fields: T): T & Common {
    const whose = parent === undefined ? {} : { subagentId: parent };
    return { ...fields, timestamp: Math.max(0, at - (startedAt ?? at)), stepId: `${prefix}-step-${++count}`, ...whose };
  }

  function toolCall({ at, call }: Event, body: BodyOf<"tool-end">): TrajectoryStep {
    const begun = call?.start.at ?? at;
    const { tool = "unknown", input } = call?.start.body ?? {};
    return step(begun, body.parent, {
      type: "tool_call" as const,
      name: tool,
      status: statusOf(body),
      ...(input === undefined ? {} : { input }),
      ...(body.output === undefined ? {} : { output: body.output }),
      ...(at === startedAt ? {} : { duration: Math.max(0, at - begun) }),
    });
  }

  function push(event: Event): readonly TrajectoryStep[] {
    const { at, body } = event;
    startedAt ??= at;
    switch (body.type) {
      case "reasoning":
        return body.text === "" ? nothing : [step(at, body.parent, { type: "thought" as const, content: body.text })];
      case "message":
        return isSaid(body) ? [step(at, body.parent, { type: "message" as const, content: body.text })] : nothing;
      case "tool-end":
        return [toolCall(event, body)];
      case "plan":
        return [step(at, body.parent, { type: "plan" as const, entries: [...body.items] })];
      default:
        return nothing;
    }
  }

  return { push, end: () => nothing };
}

/** Whether the agent said this for the first time. */
function isSaid({ role, text, repeats }: BodyOf<"message">): boolean {
  return role === "assistant" && text !== "" && repeats !== true;
}

function statusOf({ success, interrupted }: ToolEndBody): "completed" | "failed" | "in_progress" {
  if (interrupted) return "in_progress";
  return success === false ? "failed" : "completed";
}
