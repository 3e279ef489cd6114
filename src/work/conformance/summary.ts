import { type Tokens, tokenClasses } from "../../pure/events/index.ts";
import type { Consumed } from "./consumers.ts";
import { type Drift, driftOf, type RecordedShapes } from "./drift.ts";
import type { ClassVerdict, Coverage, Judgement, OperationCount } from "./judgement.ts";
import type { Outcome } from "./outcome.ts";

export interface Summary {
  readonly agent: string;
  readonly version: string;
  readonly label: string;
  /** How many runs went as their scenario says. */
  readonly good: number;
  readonly runs: number;
  readonly lines: number;
  /** The percentage of lines that were explained; null if it printed none. */
  readonly explained: number | null;
  readonly unexplained: readonly { readonly kind: string; readonly lines: number; readonly sample: string }[];
  readonly operations: OperationCount;
  /** For each class, in how many runs it equalled the ledger, differed, or was reported within a different class. */
  readonly usage: Readonly<Record<keyof Tokens, Readonly<Record<ClassVerdict, number>>>>;
  /** In how many runs the usage was compared with what. */
  readonly coverage: Readonly<Record<Coverage, number>>;
  readonly status: { readonly right: number; readonly wrong: number };
  /** Null if there is no recording to compare with. */
  readonly drift: Drift | null;
  readonly scenarios: readonly ScenarioSummary[];
  /** The readers that specification 001 shows, if they ran. */
  readonly consumers: readonly Consumed[];
}

export interface ScenarioSummary {
  readonly scenario: string;
  readonly problems: readonly string[];
  readonly milliseconds: number;
  readonly requests: number;
  readonly tokens: number;
  readonly operations: Judgement["operations"];
  readonly usage: Judgement["usage"];
  readonly coverage: Coverage | null;
  readonly status: Judgement["status"] | null;
  readonly folder?: string;
}

export interface Tried {
  readonly agent: string;
  readonly version: string;
  readonly label: string;
  readonly outcomes: readonly Outcome[];
  readonly recorded: RecordedShapes | undefined;
  readonly consumers: readonly Consumed[];
}

export function summarize({ agent, version, label, outcomes, recorded, consumers }: Tried): Summary {
  const lines = sum(outcomes.map((outcome) => outcome.lines));
  const unread = outcomes.flatMap((outcome) => outcome.unread);
  const judged = outcomes.flatMap(({ judgement }) => (judgement === null ? [] : [judgement]));
  const rightStatus = judged.filter(({ status }) => status.expected === status.found).length;
  return {
    agent,
    version,
    label,
    good: outcomes.filter(({ problems }) => problems.length === 0).length,
    runs: outcomes.length,
    lines,
    explained: lines === 0 ? null : floored((100 * (lines - unread.length)) / lines),
    unexplained: kindsOf(unread),
    operations: {
      right: sum(judged.map(({ operations }) => operations?.right ?? 0)),
      wrong: sum(judged.map(({ operations }) => operations?.wrong ?? 0)),
      missing: sum(judged.map(({ operations }) => operations?.missing ?? 0)),
    },
    usage: Object.fromEntries(tokenClasses.map((name) => [name, verdictsOf(name, judged)])) as Summary["usage"],
    coverage: coverageOf(judged),
    status: { right: rightStatus, wrong: outcomes.length - rightStatus },
    drift: driftOf(recorded, new Map(outcomes.filter(({ lines: printed }) => printed > 0).map((each) => [each.scenario, each.shapes]))),
    scenarios: outcomes.map(summaryOf).sort((a, b) => a.scenario.localeCompare(b.scenario)),
    consumers,
  };
}

/** Whether every run went as its scenario says. Drift is reported but is not a failure. */
export function isGood({ good, runs, consumers }: Summary): boolean {
  return good === runs && consumers.every(({ problem }) => problem === undefined);
}

function summaryOf({ scenario, problems, milliseconds, requests, tokens, judgement, folder }: Outcome): ScenarioSummary {
  const { operations = null, usage = null, coverage = null, status = null } = judgement ?? {};
  return {
    scenario,
    problems,
    milliseconds: Math.round(milliseconds),
    requests,
    tokens,
    operations,
    usage,
    coverage,
    status,
    ...(folder === undefined ? {} : { folder }),
  };
}

function verdictsOf(name: keyof Tokens, judged: readonly Judgement[]): Record<ClassVerdict, number> {
  const counts = { equal: 0, differs: 0, within: 0, absent: 0 };
  for (const { usage } of judged) if (usage !== null) counts[usage[name]]++;
  return counts;
}

function coverageOf(judged: readonly Judgement[]): Record<Coverage, number> {
  const counts = { whole: 0, threads: 0, part: 0, exempt: 0, unreported: 0 };
  for (const { coverage } of judged) counts[coverage]++;
  return counts;
}

/** In words, for people: what the comparison of usage leaves out. */
export function coverageWords({ threads, part, exempt, unreported }: Summary["coverage"]): readonly string[] {
  return [
    ...(threads > 0 ? [`without its own requests in ${threads}`] : []),
    ...(part > 0 ? [`only a part reported in ${part}`] : []),
    ...(exempt > 0 ? [`not compared in ${exempt}`] : []),
    ...(unreported > 0 ? [`not reported in ${unreported}`] : []),
  ];
}

/** Rounded down, so that 100 means all. */
function floored(percent: number): number {
  return Math.floor(percent * 100) / 100;
}

const LONGEST_SAMPLE = 160;

/** The lines that could not be read, grouped by the agent's own type, with one sample each. */
function kindsOf(unread: readonly unknown[]): Summary["unexplained"] {
  const kinds = new Map<string, { lines: number; sample: string }>();
  for (const raw of unread) {
    const kind = kindOf(raw);
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, { lines: 1, sample: (JSON.stringify(raw) ?? "").slice(0, LONGEST_SAMPLE) });
    else known.lines++;
  }
  return [...kinds].map(([kind, { lines, sample }]) => ({ kind, lines, sample }));
}

function kindOf(raw: unknown): string {
  return typeof raw === "object" && raw !== null && "type" in raw && typeof raw.type === "string" ? raw.type : "text";
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
