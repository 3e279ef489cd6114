import { noTokens, type Tokens, tokenClasses } from "../../pure/events/index.ts";
import type { Expected } from "./corpus-scenario.ts";
import type { ClassVerdict, Judgement, SeenRun } from "./judgement.ts";
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

/** Compares class by class. A class that the agent does not report separately counts in the class that includes it. */
export function compareUsage(
  pin: Pin,
  expected: Expected,
  run: SeenRun,
): { readonly usage: Judgement["usage"]; readonly problems: readonly string[] } {
  if (expected.usage === "any") return { usage: null, problems: [] };
  const reported: Tokens = { ...noTokens, ...run.result.usage };
  const isReported = expected.usage !== "unknown" && (pin.countsFailures || expected.status === "completed");
  const want = isReported ? wantedOf(pin, expected.usage, run) : { ...noTokens };
  const within = new Set<keyof Tokens>();
  for (const [name, whole] of isReported ? WITHIN : []) {
    if (reported[name] !== null) continue;
    want[whole] = (want[whole] ?? 0) + (want[name] ?? 0);
    want[name] = null;
    within.add(name);
  }
  // An agent that used no tokens may leave the usage out.
  if (tokenClasses.every((name) => !want[name] && reported[name] === null)) return { usage: null, problems: [] };
  const verdict = (name: keyof Tokens): ClassVerdict => (want[name] !== reported[name] ? "differs" : within.has(name) ? "within" : "equal");
  return {
    usage: isReported ? (Object.fromEntries(tokenClasses.map((name) => [name, verdict(name)])) as Judgement["usage"]) : null,
    problems: tokenClasses.flatMap((name) => same(`usage, ${name}`, want[name], reported[name])),
  };
}

function wantedOf(pin: Pin, usage: Expected["usage"], { ledger }: SeenRun): Counts {
  if (typeof usage === "object") return { ...zeroTokens, ...usage };
  const sum = { ...zeroTokens };
  for (const entry of ledger) {
    if (!pin.counts.includes(entry.kind)) continue;
    for (const name of tokenClasses) sum[name] = (sum[name] ?? 0) + (entry.usage?.[name] ?? 0);
  }
  return sum;
}
