import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { HarnessError, namedOrSuggest } from "../../../pure/base/index.ts";
import {
  type Check,
  type CheckOptions,
  checks,
  effectsIn,
  evidenceFold,
  patchFiles,
  REQUIRED,
  type RunEvidence,
  ruleCheck,
  searchedEvidence,
  unknown,
  type Verdict,
} from "../../../pure/checks/index.ts";
import type { CheckBody, Constraint, FileRef } from "../../../pure/events/index.ts";
import { type Truth, truth } from "../../../pure/views/index.ts";
import type { Evaluate, EvaluationInput } from "../evaluate.ts";
import { commandsIn } from "./commands-in.ts";
import { judgeWithin } from "./judge-within.ts";
import { moduleVerdict } from "./module-check.ts";
import type { PolicyEntry } from "./policy.ts";
import { nameOf, readPolicy } from "./read-policy.ts";

/** A larger file is not read: checks that depend on it are unknown. */
const LARGEST_FILE = 128 * 1024 * 1024;

const LONGEST_CHECK_MS = 20_000;

type Asked =
  | { readonly check: Check; readonly options: CheckOptions }
  | Exclude<PolicyEntry, { readonly kind: "check" | "rule" }>
  | Unasked;
interface Unasked {
  readonly kind: "unasked";
  readonly check: Pick<Check, "id" | "group">;
  readonly message: string;
}

/**
 * Judges a run from its recording: always by the checks of specification 003, then by those of the scenario, those named, and those of a
 * policy. A check that throws is unknown and does not affect the others.
 */
export async function evaluateRun(input: EvaluationInput, onTruth?: (truth: Truth) => void): ReturnType<Evaluate> {
  checkNames(input.checks ?? []);
  const policy = input.policy === undefined ? [] : readPolicy(input.policy, input.isForeignPolicy);
  const fold = evidenceFold();
  const compared = truth.open();
  let found: Truth | undefined;
  for await (const events of input.events) {
    for (const event of events) {
      fold.see(event);
      found = compared.push(event)[0] ?? found;
    }
  }
  const patch = readIn(input.directory, fold.patchFile(), patchFiles);
  const effects = readIn(input.directory, fold.effectsFile(), effectsIn);
  const log = readIn(input.directory, fold.commandsFile(), commandsIn);
  const evidence = fold.evidence({
    ...(patch && { patch }),
    ...(effects && { effects }),
    ...(found && { truth: found }),
    ...(log && { log }),
  });
  const constraints = input.constraints.length > 0 ? input.constraints : evidence.constraints;
  const asked = askedFor(constraints, input.checks ?? [], policy);
  const verdicts: CheckBody[] = [];
  for (const each of asked) verdicts.push(await judged(each, evidence));
  if (found !== undefined) onTruth?.(found);
  return verdicts;
}

/** Throws if a name is not a check that works without options, before anything runs. */
export function checkNames(names: readonly string[]): void {
  for (const name of names) {
    const check = checks.find(({ id }) => id === name);
    if (check === undefined)
      throw new HarnessError(
        "usage",
        namedOrSuggest(
          "check",
          name,
          checks.map(({ id }) => id),
        ),
        { option: "checks" },
      );
    const problem = check.refuse?.({});
    if (problem !== undefined)
      throw new HarnessError("usage", `The check ${name} ${problem}. Write it in a scenario or a policy, as { id: ${name}, … }.`);
  }
}

function askedFor(constraints: readonly Constraint[], names: readonly string[], policy: readonly PolicyEntry[]): readonly Asked[] {
  const asked = new Map<string, Asked>();
  for (const entry of policy) asked.set(nameOf(entry), ofPolicy(entry));
  for (const id of names) if (!asked.has(id)) asked.set(id, ofName(id));
  for (const constraint of constraints) {
    const each = asked.has(constraint.id) ? undefined : ofConstraint(constraint);
    if (each !== undefined) asked.set(constraint.id, each);
  }
  for (const check of REQUIRED) {
    if (!asked.has(check.id)) asked.set(check.id, { kind: "unasked", check, message: "The scenario does not ask for it." });
  }
  const order = new Map(checks.map(({ id }, index) => [id, index]));
  return [...asked].sort(([a], [b]) => (order.get(a) ?? checks.length) - (order.get(b) ?? checks.length)).map(([, each]) => each);
}

function ofPolicy(entry: PolicyEntry): Asked {
  if (entry.kind === "module") return entry;
  if (entry.kind === "rule") return { check: ruleCheck(entry.rule), options: {} };
  return ofName(entry.id, entry.options);
}

function ofName(id: string, options: CheckOptions = {}): Asked {
  const check = checks.find((each) => each.id === id);
  if (check === undefined)
    return { kind: "unasked", check: { id, group: "policy" }, message: "It is written in prose, which is not judged here." };
  const problem = check.refuse?.(options);
  return problem === undefined ? { check, options } : { kind: "unasked", check, message: `It ${problem}.` };
}

/** Prohibitions and success criteria are written in prose, which is not judged here. */
function ofConstraint({ id, type, options }: Constraint): Asked | undefined {
  const isProse = type === "prohibited" || type === "success";
  return isProse && !checks.some((check) => check.id === id) ? undefined : ofName(id, options);
}

async function judged(asked: Asked, evidence: RunEvidence): Promise<CheckBody> {
  if (!("kind" in asked)) {
    const verdict = judgeWithin(LONGEST_CHECK_MS, () => asked.check.judge(evidence, asked.options));
    return resultOf(asked.check, verdict, evidence);
  }
  if (asked.kind === "module") return resultOf(asked, await moduleVerdict(asked, evidence), evidence);
  return resultOf(asked.check, unknown(asked.message), evidence);
}

function resultOf(check: Pick<Check, "id" | "group">, { status, message, evidence: cited = [] }: Verdict, run: RunEvidence): CheckBody {
  const evidence = cited.length > 0 || status === "unknown" ? cited : searchedEvidence(check, run);
  return { type: "check", id: check.id, group: check.group, status, message, evidence };
}

/** Undefined if there is no file, or if it cannot be read. */
function readIn<Read>(directory: string, file: FileRef | undefined, read: (text: string) => Read | undefined): Read | undefined {
  if (file === undefined || file.path.includes("..")) return undefined;
  try {
    const path = join(directory, file.path);
    if (statSync(path).size > LARGEST_FILE) return undefined;
    return read(readFileSync(path, "utf8"));
  } catch {
    return undefined; // missing: checks that depend on it are unknown
  }
}
