import { nothing, type Translator } from "../../base/index.ts";
import type { Event } from "../../events/index.ts";
import { exitMessage, runSummary, type View, type ViewOptions } from "../../pipeline/index.ts";
import { type TrajectoryStep, trajectory } from "../trajectory/index.ts";
import type { Capture } from "./schema.ts";

export const capture: View<Capture> = {
  id: "capture",
  title: "The whole run as one record, as in results of evaluations",
  holdsRun: true,
  open,
};

function open(options: ViewOptions = {}): Translator<Event, Capture> {
  const parts = captureParts(options);
  const trajectory: TrajectoryStep[] = [];
  return {
    push(event) {
      const { steps, rest } = parts(event);
      trajectory.push(...steps);
      if (rest === undefined) return nothing;
      const { id, input, output, expected, ...others } = rest;
      return [{ id, input, output, ...(expected === undefined ? {} : { expected }), trajectory, ...others }];
    },
    end: () => nothing,
  };
}

/** What an event adds to a capture: steps, and with the last event all the rest. */
export interface CaptureParts {
  readonly steps: readonly TrajectoryStep[];
  readonly rest?: Omit<Capture, "trajectory">;
}

/** A capture without holding its steps, of which a run can have millions. */
export function captureParts(options: ViewOptions = {}): (event: Event) => CaptureParts {
  const { id = "run", input, expected, metadata } = options.evaluated ?? {};
  const run = runSummary();
  const walk = trajectory.open(options);
  const errors: string[] = [];
  let start: number | undefined;
  let firstResponse: number | undefined;
  let agent = "unknown";
  let prompt = "";
  let toolErrors = false;

  return (event) => {
    run.see(event);
    const steps = walk.push(event);
    toolErrors ||= steps.some((step) => step.type === "tool_call" && step.status === "failed");
    const { at, body } = event;
    start ??= at;
    if (firstResponse === undefined && isResponse(event)) firstResponse = at - start;
    if (body.type === "run-start") {
      agent = body.agent;
      prompt = body.prompt ?? "";
    } else if (body.type === "session") agent = body.agentName ?? agent;
    else if (body.type === "error") errors.push(body.message);
    if (body.type !== "run-end") return { steps };
    const gone = exitMessage(body);
    if (gone !== undefined) errors.push(gone);
    const rest = {
      id,
      input: input ?? prompt,
      output: run.summary().output ?? "",
      ...(expected === undefined ? {} : { expected }),
      metadata: { ...metadata, agent },
      timing: { start, end: at, ...(firstResponse === undefined ? {} : { firstResponse }) },
      toolErrors,
      ...(errors.length === 0 ? {} : { errors }),
    };
    return { steps, rest };
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
