import type { CheckGroup, CheckStatus, Evidence } from "../events/index.ts";
import type { RunEvidence } from "./evidence.ts";

export interface Verdict {
  readonly status: CheckStatus;
  readonly message: string;
  readonly evidence?: readonly Evidence[];
}

export type CheckOptions = Readonly<Record<string, unknown>>;

/** One question about a run. Pure: the same evidence always gives the same verdict. */
export interface Check {
  readonly id: string;
  readonly group: CheckGroup;
  readonly title: string;
  /** Its options: name and meaning. */
  readonly options?: Readonly<Record<string, string>>;
  /** Says what is wrong with the options; undefined if they are valid. */
  refuse?(options: CheckOptions): string | undefined;
  judge(run: RunEvidence, options: CheckOptions): Verdict;
  /** Why a call would make this check fail, judged before it runs. Undefined: nothing shows that it would. */
  refuseCall?(call: PlannedEffects, options: CheckOptions): string | undefined;
  /** What a command must show so that `refuseCall` can decide: a command that does not show it is denied. */
  readonly needs?: "programs" | "places" | "contacts";
}

/** What a call would do, as far as its tool and input show. */
export interface PlannedEffects {
  /** Each file it would write: every place its path leads to, from the workspace's root, or absolute if outside. */
  readonly writes: readonly (readonly string[])[];
  /** Places outside the workspace to which it copies, moves or links what is inside. */
  readonly carried: readonly string[];
  /** The command line, each of its parts, and each program in it. */
  readonly commands: readonly string[];
  /** The arguments of each program in the command line. */
  readonly programs: readonly (readonly string[])[];
  /** Lines it would add to files. */
  readonly added: readonly string[];
  /** It is a tool that contacts other machines. */
  readonly fetches: boolean;
}

/** The first invalid option of a check, and why. An unknown option is a mistake. */
export function refusedOption(check: Check, options: CheckOptions): { readonly name?: string; readonly problem: string } | undefined {
  const known = Object.keys(check.options ?? {});
  const name = Object.keys(options).find((each) => !known.includes(each));
  if (name !== undefined)
    return { name, problem: `is not an option of ${check.id}${known.length === 0 ? ", which has none" : `; it has ${known.join(", ")}`}` };
  const problem = check.refuse?.(options);
  return problem === undefined ? undefined : { problem };
}

/** Evidence is for people, so the number of pieces and their lengths are limited. */
const MOST_PIECES = 20;
const LONGEST_EXCERPT = 200;

export function pass(message: string, evidence: readonly Evidence[] = []): Verdict {
  return verdict("pass", message, evidence);
}
export function warn(message: string, evidence: readonly Evidence[] = []): Verdict {
  return verdict("warn", message, evidence);
}
export function fail(message: string, evidence: readonly Evidence[] = []): Verdict {
  return verdict("fail", message, evidence);
}
export function unknown(message: string, evidence: readonly Evidence[] = []): Verdict {
  return verdict("unknown", message, evidence);
}

export function verdict(status: CheckStatus, message: string, evidence: readonly Evidence[]): Verdict {
  return { status, message, evidence: evidence.slice(0, MOST_PIECES).map(bounded) };
}

function bounded(piece: Evidence): Evidence {
  const { excerpt } = piece;
  return excerpt === undefined || excerpt.length <= LONGEST_EXCERPT
    ? piece
    : { ...piece, excerpt: `${excerpt.slice(0, LONGEST_EXCERPT)}…` };
}

/** An option that is a list of strings, or one string. */
export function textsOf(options: CheckOptions, name: string): readonly string[] | undefined {
  const value = options[name];
  if (typeof value === "string") return [value];
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
}

export function numberOf(options: CheckOptions, name: string): number | undefined {
  const value = options[name];
  return typeof value === "number" && value >= 0 ? value : undefined;
}
