import { clip } from "../../base/index.ts";
import type { Color, Terminal } from "../row.ts";
import type { DecisionEvent } from "./schema.ts";

/** Narrower than `commands_observation_unavailable`, which would leave no space for the rest. */
const TYPE = 22;

/** One line per event; the last ones list every check that did not pass. */
export function renderDecision({ event_type, agent_action, evaluation }: DecisionEvent, { width, colors }: Terminal): string {
  const line = `${colors[colorOf(agent_action.action_type)](event_type.padEnd(TYPE))} ${clip(agent_action.action_summary, width - TYPE - 1)}\n`;
  if (event_type !== "evaluation_performed") return line;
  const { alignment, quality, policy } = evaluation;
  const checks = [alignment, quality, policy].flatMap((verdict) => verdict.checks);
  return (
    line +
    checks
      .map(({ id, status, message }) => `  ${colors[statusColor(status)](status.padEnd(8))} ${clip(`${id}: ${message}`, width - 11)}\n`)
      .join("")
  );
}

function colorOf(type: string): Color {
  return type === "blocked" ? "yellow" : type === "edit" ? "cyan" : "bold";
}

function statusColor(status: string): Color {
  if (status === "fail") return "red";
  if (status === "warn") return "yellow";
  return status === "pass" ? "green" : "dim";
}
