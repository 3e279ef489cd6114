import { isDeepStrictEqual } from "node:util";
import { type CorpusScenario, type ExpectPart, expectDefaults } from "./corpus-scenario.ts";
import type { Pin, Pins } from "./pin.ts";

/** An expectation for one agent alone, because its output leaves something out or it behaves differently. */
export interface Exception {
  /** The pin's id, or our agent's id for all its pins. */
  readonly agent: string;
  /** The keys of `expect` that differ, or a fact of the pin. */
  readonly what: readonly string[];
  /** Undefined if no one has written the reason yet. */
  readonly why: string | undefined;
  /** Empty if it applies to every scenario that the fact touches. */
  readonly scenarios: readonly string[];
}

/** These keys are not exceptions: an agent names its own warnings and errors, and specification 000 does not cover everything. */
const WORDS: readonly (keyof ExpectPart)[] = ["warnings", "errors", "unknown"];

/** All exceptions of the corpus: first those that follow from the pins, then those of the scenarios. */
export function exceptionsOf(pins: Pins, scenarios: readonly CorpusScenario[]): readonly Exception[] {
  return [...[...pins].flatMap(([id, pin]) => [...factsOf(id, pin), ...otherwiseOf(id, pin)]), ...scenarios.flatMap(deviationsOf)];
}

/** Exceptions that follow from what the pin says about its CLI. */
function factsOf(id: string, pin: Pin): readonly Exception[] {
  const { lacks, counts } = pin;
  const hasSubagents = !lacks.includes("agent");
  const facts: readonly (readonly [holds: boolean, what: string, why: string])[] = [
    [!pin.showsExitCodes, "operations", "Its output does not show how a command ended."],
    [!pin.showsSubagents && hasSubagents, "operations", "Its output does not show what its subagents do."],
    [pin.skillsAreFiles, "operations", "It has no tool for skills and reads their files like any other."],
    [!counts.includes("main"), "usage", "Its output does not show the usage of a whole run."],
    [
      counts.includes("main") && !counts.includes("subagent") && hasSubagents,
      "usage",
      "The usage it reports leaves out its subagents; such a run is marked as partial.",
    ],
    [!counts.includes("side"), "usage", "Its usage leaves out its own requests: for titles and summaries, and for the choice of a model."],
    [pin.reportsLastStep === true, "usage", "It reports the usage of its last step only; such a run is marked as partial."],
    [pin.asksAfterwards === true, "usage", "It makes requests for itself. Its usage leaves out those that end after its answer."],
    [pin.omits !== undefined, "usage", `None of its numbers include ${pin.omits?.join(", ")} tokens.`],
    [!pin.countsFailures, "usage", "It reports no usage for a failed run."],
    [lacks.length > 0, "left out", `It has no ${lacks.map((word) => `\`${word}\``).join(", ")}.`],
    [pin.mcp === undefined, "left out", "It does not support MCP servers."],
  ];
  return facts.filter(([holds]) => holds).map(([, what, why]) => ({ agent: id, what: [what], why, scenarios: [] }));
}

function deviations(part: Partial<ExpectPart>, shared: Partial<ExpectPart>): readonly (keyof ExpectPart)[] {
  return (Object.keys(part) as (keyof ExpectPart)[]).filter(
    (key) => !WORDS.includes(key) && !isDeepStrictEqual(part[key], shared[key] ?? expectDefaults[key]),
  );
}

/** The differences when the same agent speaks the protocol. */
function otherwiseOf(id: string, { expect = {}, why = {} }: Pin): readonly Exception[] {
  return Object.entries(expect).flatMap(([scenario, part]) => {
    const what = (Object.keys(part) as (keyof ExpectPart)[]).filter((key) => !WORDS.includes(key));
    return what.length === 0 ? [] : [{ agent: id, what, why: why[scenario], scenarios: scenario === "all" ? [] : [scenario] }];
  });
}

/** Every agent with a deviation or a written reason. A scenario for a single agent may give the reason without a deviation. */
function deviationsOf({ name, own, shared, why }: CorpusScenario): readonly Exception[] {
  return [...new Set([...own.keys(), ...why.keys()])].flatMap((agent) => {
    const what = deviations(own.get(agent) ?? {}, shared);
    const reason = why.get(agent);
    return what.length === 0 && reason === undefined ? [] : [{ agent, what, why: reason, scenarios: [name] }];
  });
}

/** Table rows; exceptions with the same reason share one. */
export function exceptionRows(exceptions: readonly Exception[]): readonly (readonly string[])[] {
  const rows = new Map<string, { agents: Set<string>; what: Set<string>; why: string; scenarios: Set<string> }>();
  for (const { agent, what, why = "–", scenarios } of exceptions) {
    const key = why === "–" ? `${agent} ${why}` : why;
    const row = rows.get(key) ?? { agents: new Set(), what: new Set(), why, scenarios: new Set() };
    rows.set(key, row);
    row.agents.add(`\`${agent}\``);
    for (const each of what) row.what.add(each);
    for (const each of scenarios) row.scenarios.add(`\`${each}\``);
  }
  return [...rows.values()].map(({ agents, what, why, scenarios }) => [
    [...agents].join(", "),
    [...what].join(", ") || "–",
    why,
    [...scenarios].join(", ") || "all",
  ]);
}
