import { isDeepStrictEqual } from "node:util";
import { noTokens, type Tokens, tokenClasses } from "../../pure/events/index.ts";
import type { Expected } from "./corpus-scenario.ts";
import type { ClassVerdict, Coverage, Judgement, SeenRun } from "./judgement.ts";
import type { Pin } from "./pin.ts";
import { same } from "./shown.ts";

type Counts = { -readonly [Class in keyof Tokens]: number | null };

const zeroTokens: Counts = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };

/** For agents that do not report a class separately: the class that includes it. */
const WITHIN: readonly (readonly [keyof Tokens, keyof Tokens])[] = [
  ["reasoning", "output"],
  ["cacheRead", "input"],
  ["cacheWrite", "input"],
];

interface Comparison {
  readonly usage: Judgement["usage"];
  readonly coverage: Coverage;
  readonly problems: readonly string[];
}

/**
 * Compares class by class with everything that the model served or, if the run says that its numbers are those of a part, with that part.
 * A class that the agent does not report separately counts in the class that includes it.
 */
export function compareUsage(pin: Pin, expected: Expected, run: SeenRun): Comparison {
  const compared = compare(pin, expected, run);
  if (compared.problems.length === 0 || pin.asksAfterwards !== true) return compared;
  // A request that it made for itself may not have ended when it counted.
  const without = compare({ ...pin, counts: pin.counts.filter((kind) => kind !== "side") }, expected, run);
  return without.problems.length === 0 ? without : compared;
}

function compare(pin: Pin, expected: Expected, run: SeenRun): Comparison {
  const { usage: whole, partialUsage: part } = run.result;
  const reported: Tokens = { ...noTokens, ...(part?.tokens ?? whole) };
  const isAnswered = expected.status === "completed" || expected.status === "blocked"; // a denied permission does not fail the request
  const isReported = expected.usage !== "unknown" && (pin.countsFailures || isAnswered);
  const want = isReported || expected.usage === "any" ? wantedOf(pin, expected.usage, run) : { ...noTokens };
  const isOther = typeof expected.usage === "object" && isReported && !isDeepStrictEqual(want, wantedOf(pin, "ledger", run));
  const within = new Map<keyof Tokens, ClassVerdict>();
  for (const [name, outer] of isReported ? WITHIN : []) {
    if (reported[name] !== null) continue;
    const isAbsent = pin.omits?.includes(name) === true;
    if (!isAbsent) want[outer] = (want[outer] ?? 0) + (want[name] ?? 0);
    want[name] = null;
    within.set(name, isAbsent ? "absent" : "within");
  }
  const isSilent = tokenClasses.every((name) => reported[name] === null);
  // An agent that used no tokens may leave the usage out.
  if (isSilent && tokenClasses.every((name) => !want[name])) return { usage: null, coverage: "unreported", problems: [] };
  const verdict = (name: keyof Tokens): ClassVerdict => (want[name] === reported[name] ? (within.get(name) ?? "equal") : "differs");
  const verdicts = Object.fromEntries(tokenClasses.map((name) => [name, verdict(name)])) as Judgement["usage"];
  const problems = tokenClasses.flatMap((name) => same(`usage, ${name}`, want[name], reported[name]));
  const coverage = isSilent ? "unreported" : part !== undefined ? "part" : leavesOut(pin, run) ? "threads" : "whole";
  if (problems.length === 0 && isOther) return { usage: null, coverage: "exempt", problems };
  if (problems.length === 0) return { usage: isReported ? verdicts : null, coverage, problems };
  const isLess = part?.complete === false && tokenClasses.every((name) => (reported[name] ?? 0) <= (want[name] ?? 0));
  if (isLess) return { usage: null, coverage, problems: [] };
  if (expected.usage === "any") return { usage: null, coverage: isSilent ? coverage : "exempt", problems: [] };
  return { usage: isReported ? verdicts : null, coverage, problems };
}

/** Whether the model served requests of the agent's own that its usage never includes. */
function leavesOut({ counts }: Pin, { ledger }: SeenRun): boolean {
  return ledger.some(({ kind, usage, isLate }) => usage !== null && (isLate === true || (kind === "side" && !counts.includes("side"))));
}

/** What the model served, of the part that the run's numbers cover. */
function wantedOf(pin: Pin, usage: Expected["usage"], { ledger, result }: SeenRun): Counts {
  if (typeof usage === "object") return { ...zeroTokens, ...usage };
  const covers = result.partialUsage?.covers ?? "run";
  const kinds = new Set<string>(covers === "run" ? ["main", "subagent"] : ["main"]);
  if (covers !== "last-step" && pin.counts.includes("side")) kinds.add("side");
  const counted = ledger.filter((entry) => kinds.has(entry.kind) && entry.usage !== null && entry.isLate !== true);
  const sum = { ...zeroTokens };
  for (const entry of covers === "last-step" ? counted.slice(-1) : counted) {
    for (const name of tokenClasses) sum[name] = (sum[name] ?? 0) + (entry.usage?.[name] ?? 0);
  }
  return sum;
}
