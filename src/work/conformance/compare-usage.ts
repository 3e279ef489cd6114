import { noTokens, type Tokens, tokenClasses } from "../../pure/events/index.ts";
import type { Expected } from "./corpus-scenario.ts";
import type { ClassVerdict, Judgement, SeenRun } from "./judgement.ts";
import type { Pin } from "./pin.ts";
import { same } from "./shown.ts";

type Counts = { -readonly [Class in keyof Tokens]: number | null };

const zeroTokens: Counts = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };

/** Where the tokens of a class are that an agent does not tell apart. */
const WITHIN: readonly (readonly [keyof Tokens, keyof Tokens])[] = [
  ["reasoning", "output"],
  ["cacheRead", "input"],
  ["cacheWrite", "input"],
];

/** Class by class; a class the agent does not tell apart is part of the one it is told with. */
export function compareUsage(
  pin: Pin,
  expected: Expected,
  run: SeenRun,
): { readonly usage: Judgement["usage"]; readonly problems: readonly string[] } {
  if (expected.usage === "any") return { usage: null, problems: [] };
  const told: Tokens = { ...noTokens, ...run.result.usage };
  const isTold = expected.usage !== "unknown" && (pin.countsFailures || expected.status === "completed");
  const want = isTold ? wantedOf(pin, expected.usage, run) : { ...noTokens };
  const within = new Set<keyof Tokens>();
  for (const [name, whole] of isTold ? WITHIN : []) {
    if (told[name] !== null) continue;
    want[whole] = (want[whole] ?? 0) + (want[name] ?? 0);
    want[name] = null;
    within.add(name);
  }
  // Who was charged nothing need not say so.
  if (tokenClasses.every((name) => !want[name] && told[name] === null)) return { usage: null, problems: [] };
  const verdict = (name: keyof Tokens): ClassVerdict => (want[name] !== told[name] ? "differs" : within.has(name) ? "within" : "equal");
  return {
    usage: isTold ? (Object.fromEntries(tokenClasses.map((name) => [name, verdict(name)])) as Judgement["usage"]) : null,
    problems: tokenClasses.flatMap((name) => same(`usage, ${name}`, want[name], told[name])),
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
