import { HarnessError } from "../../../pure/base/index.ts";
import type { Comparison, SideReport } from "./comparison.ts";

/** A limit that every side must keep, or the one it names. */
export interface Gate {
  readonly text: string;
  readonly side: string | undefined;
  readonly what: string;
  readonly sign: "<" | "<=" | ">" | ">=";
  readonly limit: number;
}

const GATE = /^(?:(.+): +)?(pass-rate|calls|failed|retries|files|skill:\S+?) *(<=|>=|<|>) *(\d+(?:\.\d+)?)( *%)?$/;

/** Reads `calls <= 10`, `skill:release-notes >= 90 %` or `careful: pass-rate >= 0.8`. */
export function gateOf(text: string): Gate {
  const [, side, what = "", sign = "", limit = "", percent] = GATE.exec(text.trim()) ?? [];
  if (what === "")
    throw new HarnessError(
      "usage",
      `Not a gate: ${text}. Write pass-rate, calls, failed, retries, files or skill:<name>, then <=, >=, < or >, then a number.`,
      { option: "gates" },
    );
  return { text: text.trim(), side, what, sign: sign as Gate["sign"], limit: Number(limit) / (percent === undefined ? 1 : 100) };
}

/** The gates that a side does not keep, as sentences. A value that is not known keeps no gate. */
export function gatesMissed({ sides }: Comparison, gates: readonly Gate[]): readonly string[] {
  return gates.flatMap((gate) => {
    const judged = sides.filter(({ label }) => gate.side === undefined || label === gate.side);
    if (judged.length === 0) return [`The gate "${gate.text}" names a side that is not there`];
    return judged.flatMap((side) => {
      const value = shown(side, gate.what);
      if (value !== null && keeps(value, gate)) return [];
      const found = value === null ? "is not known" : `is ${Number(value.toFixed(3))}`;
      return [`${side.label}: ${gate.what} ${found}, and the gate is ${gate.what} ${gate.sign} ${gate.limit}`];
    });
  });
}

function keeps(value: number, { sign, limit }: Gate): boolean {
  if (sign === "<") return value < limit;
  if (sign === "<=") return value <= limit;
  return sign === ">" ? value > limit : value >= limit;
}

/** The mean per trial, or the share of trials. */
function shown({ passRate, behavior }: SideReport, what: string): number | null {
  if (what === "pass-rate") return passRate;
  if (behavior === undefined) return null;
  if (what.startsWith("skill:")) {
    const used = behavior.skills.find(({ name }) => name === what.slice("skill:".length));
    return (used?.trials ?? 0) / behavior.trials;
  }
  return behavior[what as "calls" | "failed" | "retries" | "files"];
}
