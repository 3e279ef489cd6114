import type { Operation } from "../events/index.ts";

/** A range of lines, counted from 1. Without `last` it extends to the end. */
export interface Lines {
  readonly first: number;
  readonly last?: number;
}

export const ALL_LINES: Lines = { first: 1 };

/** The lines that remain when `inner` is applied to the output of `outer`: `sed -n '10,99p' f | head -5` shows 10 to 14. */
export function within(outer: Lines, inner: Lines): Lines {
  const first = outer.first + inner.first - 1;
  const last = Math.min(outer.last ?? Number.POSITIVE_INFINITY, outer.first + (inner.last ?? Number.POSITIVE_INFINITY) - 1);
  if (first > last) return outer;
  return Number.isFinite(last) ? { first, last } : { first };
}

export function readOf(path: string, lines: Lines | undefined): Operation {
  if (lines === undefined || (lines.first === 1 && lines.last === undefined)) return { kind: "read", path };
  if (lines.last === undefined) return { kind: "read", path, startLine: lines.first };
  return { kind: "read", path, startLine: lines.first, endLine: lines.last };
}
