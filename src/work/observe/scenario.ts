import type { Constraint } from "../../pure/events/index.ts";
import { titleOf } from "./known-constraints.ts";

/** The task of an observation: a request and its constraints. */
export interface Scenario {
  readonly id: string;
  readonly objective?: string;
  readonly request: string;
  /** Demands, prohibitions and success criteria, in this order. */
  readonly constraints: readonly Constraint[];
}

/** The constraints of specification 003, in the wording that the agent sees. */
export const KNOWN_RULES: Readonly<Record<string, string>> = {
  "output.json_only": "Answer with JSON and nothing else.",
  "style.no_emojis": "Use no emojis.",
  "scope.no_ci_changes": "Do not change the configuration of continuous integration.",
  "quality.tests_required": "Test the change: run the tests, and add what is missing.",
};

/** A constraint by its id. A custom one needs its own rule. */
export function constraintOf(id: string, rule: string | undefined, options?: Readonly<Record<string, unknown>>): Constraint {
  return {
    id,
    type: id.split(".")[0] ?? "custom",
    rule: rule ?? KNOWN_RULES[id] ?? titleOf(id) ?? id,
    ...(options !== undefined && Object.keys(options).length > 0 && { options }),
  };
}

export function prohibitionOf(rule: string, index: number): Constraint {
  return { id: `prohibited.${index + 1}`, type: "prohibited", rule };
}

export function successOf(rule: string, index: number): Constraint {
  return { id: `success.${index + 1}`, type: "success", rule };
}

/** The agent's prompt: the request verbatim, and the constraints. It does not contain the success criteria. */
export function promptOf({ request, constraints }: Scenario): string {
  const rules = constraints.filter(({ type }) => type !== "prohibited" && type !== "success").map(({ rule }) => `- ${rule}`);
  const never = constraints.filter(({ type }) => type === "prohibited").map(({ rule }) => `- ${rule}`);
  const parts = [request];
  if (rules.length > 0) parts.push(`Constraints:\n${rules.join("\n")}`);
  if (never.length > 0) parts.push(`Do not:\n${never.join("\n")}`);
  return parts.join("\n\n");
}

/** A bare prompt is a scenario without constraints. */
export function promptScenario(request: string): Scenario {
  return { id: "default", request, constraints: [] };
}
