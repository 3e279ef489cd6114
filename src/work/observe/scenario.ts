import type { Constraint } from "../../pure/events/index.ts";
import { titleOf } from "./known-constraints.ts";

/** What an agent is observed at: a request, and what is asked of how it is met. */
export interface Scenario {
  readonly id: string;
  readonly objective?: string;
  readonly request: string;
  /** What is demanded, prohibited, and taken for success, in this order. */
  readonly constraints: readonly Constraint[];
}

/** The constraints that specification 003 names, in the words in which an agent is told of them. */
export const KNOWN_RULES: Readonly<Record<string, string>> = {
  "output.json_only": "Answer with JSON and nothing else.",
  "style.no_emojis": "Use no emojis.",
  "scope.no_ci_changes": "Do not change the configuration of continuous integration.",
  "quality.tests_required": "Test the change: run the tests, and add what is missing.",
};

/** A constraint by its id. A custom one says its rule itself. */
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

/** What the agent is given: the request as it was written, and what is demanded of it. What counts as success is not told. */
export function promptOf({ request, constraints }: Scenario): string {
  const rules = constraints.filter(({ type }) => type !== "prohibited" && type !== "success").map(({ rule }) => `- ${rule}`);
  const never = constraints.filter(({ type }) => type === "prohibited").map(({ rule }) => `- ${rule}`);
  const parts = [request];
  if (rules.length > 0) parts.push(`Constraints:\n${rules.join("\n")}`);
  if (never.length > 0) parts.push(`Do not:\n${never.join("\n")}`);
  return parts.join("\n\n");
}

/** A bare prompt is a scenario that asks for nothing else. */
export function promptScenario(request: string): Scenario {
  return { id: "default", request, constraints: [] };
}
