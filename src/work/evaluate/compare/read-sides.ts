import { arrayOf, HarnessError, isObject, type JsonObject, numberOf, objectOf, stringOf } from "../../../pure/base/index.ts";
import { addTokens, noTokens, type Tokens, tokenClasses } from "../../../pure/events/index.ts";
import { emptyTally, isCounted, type OutOfTime, type UnverifiedTrials } from "../../../pure/verdicts/index.ts";
import { type ReadLine, readResults, trialsIn } from "../results/index.ts";
import { classOf, isUnverified } from "../trial/index.ts";
import type { BehaviorSum, CaseScores, JudgeSpending, Side } from "./scores.ts";

/** What a rate is over. */
export interface Counting {
  /** Whether trials out of time are part of the rates, as failures, or left out. Default: `failed`. */
  readonly outOfTime?: OutOfTime;
  /** Whether trials are part of the rates whose recordings `grade` did not find. Default: `ignored`. */
  readonly unverified?: UnverifiedTrials;
}

/**
 * The sides of a comparison from files of `capture` or `trials`: one for each agent and model in a file. If two files give sides with
 * the same name, the file names distinguish them.
 */
export function readSides(paths: readonly string[], counting: Counting = {}): Side[] {
  return toldApart(readEvaluations(paths, counting));
}

/** The same, apart by evaluation: the parts of one are together. */
export function readEvaluations(
  paths: readonly string[],
  counting: Counting = {},
): readonly { readonly path: string; readonly sides: readonly Side[] }[] {
  return wholes(paths).map((parts) => ({ path: parts.join(", "), sides: sidesOf(parts, counting) }));
}

/** The files, with the parts of one evaluation together. Throws if a part is there twice: its trials would count twice. */
function wholes(paths: readonly string[]): readonly (readonly string[])[] {
  const whole = new Map<string, { readonly parts: Set<string>; readonly paths: string[] }>();
  for (const path of paths) {
    const [first] = readResults(path);
    const [, part = "", of = ""] = /^(\d+)\/(\d+)$/.exec(stringOf(first?.line["shard"]) ?? "") ?? [];
    const inputs = stringOf(objectOf(first?.line["inputs"])?.["all"]) ?? "";
    const key = part === "" ? `${path} ${whole.size}` : `${inputs} ${of}`;
    const group = whole.get(key) ?? { parts: new Set(), paths: [] };
    if (part !== "" && group.parts.has(part))
      throw new HarnessError("usage", `Part ${part} of ${of} is there twice: ${path}. Pass each part once.`);
    whole.set(key, group);
    group.parts.add(part);
    group.paths.push(path);
  }
  return [...whole.values()].map((group) => group.paths);
}

export function toldApart<S extends { readonly label: string }>(
  byFile: readonly { readonly path: string; readonly sides: readonly S[] }[],
): S[] {
  const count = new Map<string, number>();
  for (const { sides } of byFile) for (const { label } of sides) count.set(label, (count.get(label) ?? 0) + 1);
  // Chance decides which agent's line comes first in a file. Sorted by name, the baseline is always the same.
  const byName = (a: S, b: S) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0);
  const named = byFile.flatMap(({ path, sides }) =>
    sides.toSorted(byName).map((side) => ((count.get(side.label) ?? 0) > 1 ? { ...side, label: `${side.label} (${path})` } : side)),
  );
  return named.map((side, index) => {
    const before = named.slice(0, index).filter(({ label }) => label === side.label).length; // a file that is compared with itself
    return before === 0 ? side : { ...side, label: `${side.label} #${before + 1}` };
  });
}

function sidesOf(parts: readonly string[], counting: Counting): readonly Side[] {
  const fold = sideFold(parts[0] ?? "", counting);
  for (const path of parts) for (const { line } of readResults(path)) fold.add(line);
  if (fold.sides().length === 0) throw new HarnessError("input", `${parts.join(", ")} contains no results.`);
  return fold.sides();
}

/** Reads the sides of one file line by line, in the order they appear. */
export function sideFold(path: string, counting: Counting = {}) {
  const sides = new Map<string, Side>();
  const names = new Map<string, Set<string>>(); // what the agents of a side call themselves
  return {
    /** A side is shown under the agent's own name, if all its lines agree on one. */
    sides: (): readonly Side[] => [...sides.values()].map((side) => namedAs(side, names.get(side.label))),
    /** Returns the side that the line belongs to. */
    add(line: ReadLine["line"]): Side {
      const label = labelOf(line, path);
      const side = sides.get(label) ?? emptySide(label);
      sides.set(label, side);
      const own = ownNameOf(line);
      if (own !== undefined) names.set(label, (names.get(label) ?? new Set()).add(own));
      learn(side.versions, line["version"]);
      for (const text of arrayOf(objectOf(line["grader"])?.["graders"]) ?? []) learn(side.graders, text);
      for (const trial of trialsIn(line)) addTrial(side, line.id, trial, counting);
      const entry = side.cases.get(line.id);
      if (entry !== undefined) entry.hash = stringOf(line["caseHash"]);
      return side;
    },
  };
}

function addTrial(side: Side, id: string, trial: JsonObject, { outOfTime: late, unverified }: Counting): void {
  const entry: CaseScores = side.cases.get(id) ?? { verdicts: [], classes: emptyTally(), hash: undefined, did: undefined };
  side.cases.set(id, entry);
  const { class: kind, startProblem } = classOf(trial, unverified);
  side.trials++;
  side.classes[kind]++;
  entry.classes[kind]++;
  if (startProblem !== undefined) side.startProblems.add(startProblem);
  if (isCounted(kind, late)) side.graded++;
  if (kind === "passed") side.passes++;
  if (isUnverified(trial)) side.unverified++;
  if (kind === "ungraded" && trial["gradeError"] !== undefined) side.nError++;
  entry.verdicts.push(isCounted(kind, late) ? kind === "passed" : null);
  const duration = durationOf(trial);
  if (duration !== undefined) side.durationsMs.push(duration);
  if (trial["toolErrors"] === true) side.toolErrors = (side.toolErrors ?? 0) + 1;
  else if (trial["toolErrors"] === false && showsCalls(trial)) side.toolErrors ??= 0;
  const { usage, isPartial, cost, isCostPartial } = spentIn(trial);
  const computed = cost === undefined ? objectOf(trial["computedCost"]) : undefined;
  const spent = cost ?? numberOf(computed?.["costUsd"]);
  if (spent !== undefined) side.costUsd = (side.costUsd ?? 0) + spent;
  if (computed !== undefined) side.computed = withComputed(side.computed, computed);
  learn(side.models, trial["answeredBy"]);
  const behavior = objectOf(trial["behavior"]);
  if (behavior !== undefined) {
    side.behavior = withBehavior(side.behavior, behavior);
    entry.did = withDid(entry.did, behavior);
  }
  const started = startOf(trial);
  if (started !== undefined && started < (side.startedAt ?? Number.POSITIVE_INFINITY)) side.startedAt = started;
  if (usage !== undefined) side.tokens = addTokens(side.tokens, tokensOf(usage));
  side.isPartial ||= isPartial;
  side.isCostPartial ||= isCostPartial;
  const judging = objectOf(trial["judging"]);
  if (judging !== undefined) side.judging = withJudging(side.judging, judging);
}

/** A run that was recorded says what the agent did, unless its calls cannot be seen. Lines of other programs are believed. */
function showsCalls({ behavior, runs }: JsonObject): boolean {
  return behavior !== undefined || runs === undefined;
}

function learn(known: Set<string>, value: unknown): void {
  const text = stringOf(value);
  if (text !== undefined) known.add(text);
}

function withComputed(before: Side["computed"], computed: JsonObject): Side["computed"] {
  const tables = before?.tables ?? new Set<string>();
  learn(tables, computed["table"]);
  return { costUsd: (before?.costUsd ?? 0) + (numberOf(computed["costUsd"]) ?? 0), tables };
}

function withBehavior(before: BehaviorSum | undefined, behavior: JsonObject): BehaviorSum {
  const sum = (name: "calls" | "failed" | "retries" | "files") => (before?.[name] ?? 0) + (numberOf(behavior[name]) ?? 0);
  const skills = new Map(before?.skills);
  for (const skill of new Set(arrayOf(behavior["skills"]) ?? []))
    if (typeof skill === "string") skills.set(skill, (skills.get(skill) ?? 0) + 1);
  return {
    trials: (before?.trials ?? 0) + 1,
    calls: sum("calls"),
    failed: sum("failed"),
    retries: sum("retries"),
    files: sum("files"),
    skills,
  };
}

function withDid(before: CaseScores["did"], behavior: JsonObject): CaseScores["did"] {
  const sum = (name: "calls" | "failed" | "retries" | "files") => (before?.[name] ?? 0) + (numberOf(behavior[name]) ?? 0);
  return { trials: (before?.trials ?? 0) + 1, calls: sum("calls"), failed: sum("failed"), retries: sum("retries"), files: sum("files") };
}

/** When a trial started: its own time, or that in the id of its first run. */
function startOf(trial: JsonObject): number | undefined {
  const own = numberOf(objectOf(trial["timing"])?.["start"]);
  if (own !== undefined) return own;
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-/.exec(stringOf(arrayOf(trial["runs"])?.[0]) ?? "") ?? [];
  return year === undefined ? undefined : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function withJudging(before: JudgeSpending | undefined, judging: JsonObject): JudgeSpending {
  const { usage, isPartial, cost, isCostPartial } = spentIn(judging);
  return {
    attempts: (before?.attempts ?? 0) + (numberOf(judging["attempts"]) ?? 0),
    tokens: usage === undefined ? (before?.tokens ?? noTokens) : addTokens(before?.tokens ?? noTokens, tokensOf(usage)),
    costUsd: cost === undefined ? (before?.costUsd ?? null) : (before?.costUsd ?? 0) + cost,
    isPartial: isPartial || before?.isPartial === true,
    isCostPartial: isCostPartial || before?.isCostPartial === true,
  };
}

/** What a trial used, if only in part. */
export function spentIn(trial: JsonObject) {
  const [part, costPart] = [objectOf(trial["partialUsage"]), objectOf(trial["partialCost"])];
  return {
    usage: objectOf(part?.["tokens"]) ?? objectOf(trial["usage"]),
    isPartial: part !== undefined,
    cost: numberOf(costPart?.["costUsd"]) ?? numberOf(trial["cost"]),
    isCostPartial: costPart !== undefined,
  };
}

export function durationOf(trial: JsonObject): number | undefined {
  const { duration, timing } = trial;
  if (typeof duration === "number") return duration;
  const [start, end] = isObject(timing) ? [numberOf(timing["start"]), numberOf(timing["end"])] : [];
  return start === undefined || end === undefined ? undefined : end - start;
}

export function labelOf(line: JsonObject, path: string): string {
  const metadata = line["metadata"];
  const agent = stringOf(line["agent"]) ?? (isObject(metadata) ? stringOf(metadata["agent"]) : undefined) ?? path;
  const model = stringOf(line["model"]);
  return model === undefined || line["inputs"] !== undefined ? agent : `${agent} ${model}`;
}

/** The name that the agent gave itself, if its lines are labeled with something else. */
function ownNameOf(line: JsonObject): string | undefined {
  const { metadata, agent, model, inputs } = line;
  if (inputs !== undefined) return undefined; // the evaluation file names its sides
  const own = isObject(metadata) ? stringOf(metadata["agent"]) : undefined;
  if (own === undefined || agent === undefined || own === agent) return undefined;
  return typeof model === "string" ? `${own} ${model}` : own;
}

function namedAs<S extends { readonly label: string }>(side: S, names: ReadonlySet<string> | undefined): S {
  const [only, ...others] = names ?? [];
  return only === undefined || others.length > 0 ? side : { ...side, label: only };
}

function emptySide(label: string): Side {
  return {
    label,
    cases: new Map(),
    durationsMs: [],
    tokens: noTokens,
    costUsd: null,
    computed: undefined,
    behavior: undefined,
    startedAt: undefined,
    versions: new Set(),
    models: new Set(),
    graders: new Set(),
    isPartial: false,
    isCostPartial: false,
    judging: undefined,
    toolErrors: null,
    trials: 0,
    graded: 0,
    passes: 0,
    classes: emptyTally(),
    startProblems: new Set(),
    unverified: 0,
    nError: 0,
  };
}

function tokensOf(usage: JsonObject): Tokens {
  return Object.fromEntries(tokenClasses.map((name) => [name, numberOf(usage[name]) ?? null])) as unknown as Tokens;
}
