import { isDeepStrictEqual } from "node:util";
import type { Pin, Pins } from "./pin.ts";
import { type CorpusScenario, type ExpectPart, expectDefaults } from "./scenario.ts";

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
const WORDS: readonly (keyof ExpectPart)[] = ["warnings", "errors", "unknown", "why"];

/** All exceptions of the corpus: those that follow from the pins first, then those of the scenarios. */
export function exceptionsOf(pins: Pins, scenarios: readonly CorpusScenario[]): readonly Exception[] {
  return [...[...pins].flatMap(([id, pin]) => factsOf(id, pin)), ...scenarios.flatMap(deviationsOf)];
}

/** What a pin says of its CLI for good. */
function factsOf(id: string, pin: Pin): readonly Exception[] {
  const fact = (what: string, why: string): Exception => ({ agent: id, what: [what], why, scenarios: [] });
  const hasSubagents = !pin.lacks.includes("agent");
  return [
    ...(pin.tellsExitCodes ? [] : [fact("operations", "Its output does not tell how a command ended.")]),
    ...(pin.showsSubagents || !hasSubagents ? [] : [fact("operations", "Its output does not tell what its subagents do.")]),
    ...(pin.skillsAreFiles ? [fact("operations", "It has no tool for skills: their files are read like any other.")] : []),
    ...(pin.counts.includes("subagent") || !hasSubagents ? [] : [fact("usage", "The usage it reports is without that of its subagents.")]),
    ...(pin.countsFailures ? [] : [fact("usage", "It reports no usage of a run that failed.")]),
    ...(pin.lacks.length === 0 ? [] : [fact("left out", `It has no ${pin.lacks.map((word) => `\`${word}\``).join(", ")}.`)]),
    ...(pin.mcp === undefined ? [fact("left out", "It knows no MCP servers.")] : []),
  ];
}

function deviationsOf({ name, own, shared }: CorpusScenario): readonly Exception[] {
  return [...own].flatMap(([agent, part]) => {
    const what = (Object.keys(part) as (keyof ExpectPart)[]).filter(
      (key) => !WORDS.includes(key) && !isDeepStrictEqual(part[key], shared[key] ?? expectDefaults[key]),
    );
    return what.length === 0 ? [] : [{ agent, what, why: part.why, scenarios: [name] }];
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
    [...what].join(", "),
    why,
    [...scenarios].join(", ") || "all",
  ]);
}
