import { HarnessError } from "../../core/errors.ts";
import { isObject, type JsonObject, numberOf, stringOf } from "../../core/json.ts";
import { addTokens, noTokens, type Tokens, tokenClasses } from "../../core/tokens.ts";
import { isLost } from "../results/is-lost.ts";
import { readResults, trialsIn } from "../results/read-results.ts";
import type { Side } from "./scores.ts";

/**
 * The sides of a comparison, from files of `capture` or `trials`: one per agent and model of a file. Two files that would give sides of
 * one name are told apart by the names of the files.
 */
export function readSides(paths: readonly string[]): Side[] {
  return toldApart(paths.map((path) => ({ path, sides: sidesOf(path) })));
}

export function toldApart<S extends { readonly label: string }>(
  byFile: readonly { readonly path: string; readonly sides: readonly S[] }[],
): S[] {
  const count = new Map<string, number>();
  for (const { sides } of byFile) for (const { label } of sides) count.set(label, (count.get(label) ?? 0) + 1);
  // Which agent's line is written first is chance: by their names the one to beat is always the same.
  const byName = (a: S, b: S) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0);
  return byFile.flatMap(({ path, sides }) =>
    sides.toSorted(byName).map((side) => ((count.get(side.label) ?? 0) > 1 ? { ...side, label: `${side.label} (${path})` } : side)),
  );
}

function sidesOf(path: string): Side[] {
  const sides = new Map<string, Side>();
  for (const { line } of readResults(path)) {
    const label = labelOf(line, path);
    const side = sides.get(label) ?? emptySide(label);
    sides.set(label, side);
    for (const trial of trialsIn(line)) addTrial(side, line.id, trial);
  }
  if (sides.size === 0) throw new HarnessError("input", `${path} holds no results.`);
  return [...sides.values()];
}

function addTrial(side: Side, id: string, trial: JsonObject): void {
  side.trials++;
  const entry = side.cases.get(id) ?? { verdicts: [] };
  side.cases.set(id, entry);
  const grade = isObject(trial["score"]) ? trial["score"] : trial; // a capture nests its grade, a trial does not
  const pass = grade["pass"];
  if (typeof pass === "boolean") {
    side.graded++;
    if (pass) side.passes++;
  } else if (trial["gradeError"] !== undefined) side.nError++;
  else if (Object.hasOwn(trial, "status") && isLost(stringOf(trial["status"]) as Parameters<typeof isLost>[0])) side.nInfrastructure++;
  entry.verdicts.push(typeof pass === "boolean" ? pass : null);
  const duration = durationOf(trial);
  if (duration !== undefined) side.durationsMs.push(duration);
  if (trial["toolErrors"] === true) side.toolErrors++;
  const cost = numberOf(trial["cost"]);
  if (cost !== undefined) side.costUsd = (side.costUsd ?? 0) + cost;
  if (isObject(trial["usage"])) side.tokens = addTokens(side.tokens, tokensOf(trial["usage"]));
}

function durationOf(trial: JsonObject): number | undefined {
  const { duration, timing } = trial;
  if (typeof duration === "number") return duration;
  const [start, end] = isObject(timing) ? [numberOf(timing["start"]), numberOf(timing["end"])] : [];
  return start === undefined || end === undefined ? undefined : end - start;
}

export function labelOf(line: JsonObject, path: string): string {
  const metadata = line["metadata"];
  const agent = stringOf(line["agent"]) ?? (isObject(metadata) ? stringOf(metadata["agent"]) : undefined) ?? path;
  const model = stringOf(line["model"]);
  return model === undefined ? agent : `${agent} ${model}`;
}

function emptySide(label: string): Side {
  return {
    label,
    cases: new Map(),
    durationsMs: [],
    tokens: noTokens,
    costUsd: null,
    toolErrors: 0,
    trials: 0,
    graded: 0,
    passes: 0,
    nError: 0,
    nInfrastructure: 0,
  };
}

function tokensOf(usage: JsonObject): Tokens {
  return Object.fromEntries(tokenClasses.map((name) => [name, numberOf(usage[name]) ?? null])) as unknown as Tokens;
}
