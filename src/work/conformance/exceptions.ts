import { isDeepStrictEqual } from "node:util";
import { type CorpusScenario, type ExpectPart, expectDefaults } from "./corpus-scenario.ts";
import type { Pin, Pins } from "./pin.ts";

/** Something that is expected of one agent alone, because its output cannot tell the truth or it does something else. */
export interface Exception {
  /** The id of its pin, or of our agent where all its pins are meant. */
  readonly agent: string;
  /** The keys of `expect` that differ, or the fact of its pin. */
  readonly what: readonly string[];
  /** Undefined where nobody has said it yet. */
  readonly why: string | undefined;
  /** Empty where it concerns all that the fact touches. */
  readonly scenarios: readonly string[];
}

/** The agent's own words, not its deviations: how it names its warnings and errors, and what specification 000 has no word for. */
const WORDS: readonly (keyof ExpectPart)[] = ["warnings", "errors", "unknown"];

/** All exceptions of the corpus: those that follow from the pins first, then those of the scenarios. */
export function exceptionsOf(pins: Pins, scenarios: readonly CorpusScenario[]): readonly Exception[] {
  return [...[...pins].flatMap(([id, pin]) => [...factsOf(id, pin), ...otherwiseOf(id, pin)]), ...scenarios.flatMap(deviationsOf)];
}

/** What a pin says of its CLI for good. */
function factsOf(id: string, pin: Pin): readonly Exception[] {
  const { lacks, counts } = pin;
  const hasSubagents = !lacks.includes("agent");
  const facts: readonly (readonly [holds: boolean, what: string, why: string])[] = [
    [!pin.tellsExitCodes, "operations", "Its output does not tell how a command ended."],
    [!pin.showsSubagents && hasSubagents, "operations", "Its output does not tell what its subagents do."],
    [pin.skillsAreFiles, "operations", "It has no tool for skills: their files are read like any other."],
    [!counts.includes("main"), "usage", "Its output does not tell the usage of a whole run."],
    [
      counts.includes("main") && !counts.includes("subagent") && hasSubagents,
      "usage",
      "The usage it reports is without that of its subagents.",
    ],
    [!pin.countsFailures, "usage", "It reports no usage of a run that failed."],
    [lacks.length > 0, "left out", `It has no ${lacks.map((word) => `\`${word}\``).join(", ")}.`],
    [pin.mcp === undefined, "left out", "It knows no MCP servers."],
  ];
  return facts.filter(([holds]) => holds).map(([, what, why]) => ({ agent: id, what: [what], why, scenarios: [] }));
}

/** The keys of a part that say something else than what is expected of all. */
function deviations(part: Partial<ExpectPart>, shared: Partial<ExpectPart>): readonly (keyof ExpectPart)[] {
  return (Object.keys(part) as (keyof ExpectPart)[]).filter(
    (key) => !WORDS.includes(key) && !isDeepStrictEqual(part[key], shared[key] ?? expectDefaults[key]),
  );
}

/** What is otherwise when the same agent is spoken with over the protocol. */
function otherwiseOf(id: string, { expect = {}, why = {} }: Pin): readonly Exception[] {
  return Object.entries(expect).flatMap(([scenario, part]) => {
    const what = (Object.keys(part) as (keyof ExpectPart)[]).filter((key) => !WORDS.includes(key));
    return what.length === 0 ? [] : [{ agent: id, what, why: why[scenario], scenarios: scenario === "all" ? [] : [scenario] }];
  });
}

/** What differs for an agent, and what a reason is given for although it does not: in a scenario that is for that agent alone. */
function deviationsOf({ name, own, shared, why }: CorpusScenario): readonly Exception[] {
  return [...new Set([...own.keys(), ...why.keys()])].flatMap((agent) => {
    const what = deviations(own.get(agent) ?? {}, shared);
    const reason = why.get(agent);
    return what.length === 0 && reason === undefined ? [] : [{ agent, what, why: reason, scenarios: [name] }];
  });
}

/** As rows of a table; those with one reason are one row. */
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
