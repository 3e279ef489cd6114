import { nothing, type Translator } from "../../base/index.ts";
import type { Event } from "../../events/index.ts";
import { exitMessage, runSummary, type View, type ViewOptions } from "../../pipeline/index.ts";
import { type TrajectoryStep, trajectory } from "../trajectory/index.ts";
import type { Capture } from "./schema.ts";

export const capture: View<Capture> = {
  id: "capture",
  title: "The whole run as one record, as in results of evaluations",
  open,
};

function open(options: ViewOptions = {}): Translator<Event, Capture> {
  const { id = "run", input, expected, metadata } = options.evaluated ?? {};
  const run = runSummary();
  const walk = trajectory.open(options);
  const steps: TrajectoryStep[] = [];
  const errors: string[] = [];
  let start: number | undefined;
  let firstResponse: number | undefined;
  let agent = "unknown";
  let prompt = "";

  return {
    push(event) {
      run.see(event);
      steps.push(...walk.push(event));
      const { at, body } = event;
      start ??= at;
      if (firstResponse === undefined && isResponse(event)) firstResponse = at - start;
      if (body.type === "run-start") {
        agent = body.agent;
        prompt = body.prompt ?? "";
      } else if (body.type === "session") agent = body.agentName ?? agent;
      else if (body.type === "error") errors.push(body.message);
      if (body.type !== "run-end") return nothing;
      const gone = exitMessage(body);
      if (gone !== undefined) errors.push(gone);
      return [
        {
          id,
          input: input ?? prompt,
          output: run.summary().output ?? "",
          ...(expected === undefined ? {} : { expected }),
          trajectory: steps,
          metadata: { ...metadata, agent },
          timing: { start, end: at, ...(firstResponse === undefined ? {} : { firstResponse }) },
          toolErrors: steps.some((step) => step.type === "tool_call" && step.status === "failed"),
          ...(errors.length === 0 ? {} : { errors }),
        },
      ];
    },
    end: () => nothing,
  };
}

function isResponse({ body }: Event): boolean {
  switch (body.type) {
    case "text-delta":
    case "reasoning-delta":
    case "reasoning":
    case "tool-start":
      return true;
    case "message":
      return body.role === "assistant";
    default:
      return false;
  }
}
