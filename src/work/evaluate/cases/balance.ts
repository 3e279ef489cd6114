import type { CaseRow } from "./case.ts";
import { openCases } from "./open-cases.ts";

/** How the cases of a data set are distributed, and which values are rare. */
export interface Balance {
  readonly cases: number;
  readonly withExpected: number;
  readonly withReference: number;
  readonly withWorkspace: number;
  readonly withSeveralTurns: number;
  /** For each metadata name: how many cases have each value. */
  readonly metadata: readonly Spread[];
}

export interface Spread {
  readonly name: string;
  readonly values: readonly { readonly value: string; readonly cases: number; readonly share: number }[];
  /** Cases without this name. */
  readonly missing: number;
  /** Values with less than half of an even share: for these a comparison mostly shows noise. */
  readonly rare: readonly string[];
}

/** A name with more values identifies single cases, not groups. */
const MOST_VALUES = 50;

/** Counts the metadata values in a file or a list of cases. */
export function balance(cases: string | readonly CaseRow[]): Balance {
  const open = openCases(cases);
  const counts = new Map<string, Map<string, number>>();
  let [withExpected, withReference, withWorkspace, withSeveralTurns] = [0, 0, 0, 0];
  for (const place of open.places) {
    const row = open.read(place);
    if (row.expected !== undefined) withExpected++;
    if (row.reference !== undefined) withReference++;
    if (row.workspace !== undefined) withWorkspace++;
    if (typeof row.input !== "string" && row.input.length > 1) withSeveralTurns++;
    for (const [name, value] of Object.entries(row.metadata)) {
      const values = counts.get(name) ?? new Map<string, number>();
      counts.set(name, values);
      for (const each of Array.isArray(value) ? new Set(value) : [value]) {
        const text = typeof each === "string" ? each : JSON.stringify(each);
        values.set(text, (values.get(text) ?? 0) + 1);
      }
    }
  }
  const metadata = [...counts]
    .filter(([, values]) => values.size <= MOST_VALUES)
    .map(([name, values]) => spreadOf(name, values, open.places.length));
  return { cases: open.places.length, withExpected, withReference, withWorkspace, withSeveralTurns, metadata };
}

function spreadOf(name: string, counts: ReadonlyMap<string, number>, cases: number): Spread {
  const values = [...counts].sort(([, a], [, b]) => b - a).map(([value, count]) => ({ value, cases: count, share: count / cases }));
  const counted = values.reduce((sum, value) => sum + value.cases, 0);
  const even = counted / values.length;
  return {
    name,
    values,
    missing: Math.max(0, cases - counted),
    rare: values.filter((value) => value.cases < even / 2).map(({ value }) => value),
  };
}
