import colors from "picocolors";
import { clip } from "../../../pure/base/index.ts";
import type { DecisionEvent } from "../../../pure/views/index.ts";
import { terminalWidth } from "../../terminal/index.ts";

/** Room for `commands_observation_unavailable` would leave none for the rest. */
const TYPE = 22;

/** One line for each of the nine; the last ones with every check that is not fine. */
export function renderDecision({ event_type, agent_action, evaluation }: DecisionEvent): string {
  const line = `${paint(agent_action.action_type)(event_type.padEnd(TYPE))} ${clip(agent_action.action_summary, terminalWidth() - TYPE - 1)}\n`;
  if (event_type !== "evaluation_performed") return line;
  const { alignment, quality, policy } = evaluation;
  const checks = [alignment, quality, policy].flatMap((verdict) => verdict.checks);
  return (
    line +
    checks
      .map(({ id, status, message }) => `  ${paintStatus(status)(status.padEnd(8))} ${clip(`${id}: ${message}`, terminalWidth() - 11)}\n`)
      .join("")
  );
}

function paint(type: string): (text: string) => string {
  return type === "blocked" ? colors.yellow : type === "edit" ? colors.cyan : colors.bold;
}

function paintStatus(status: string): (text: string) => string {
  if (status === "fail") return colors.red;
  if (status === "warn") return colors.yellow;
  return status === "pass" ? colors.green : colors.dim;
}
