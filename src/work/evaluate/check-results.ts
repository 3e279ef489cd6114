import { type JsonObject, parseObject } from "../../pure/base/index.ts";
import { type Case, readStretch } from "./cases/index.ts";
import { type ReadLine, readResults, trialsIn } from "./results/index.ts";
import { isUngraded, type Regrader } from "./running/index.ts";
import { inParallel } from "./scheduling/index.ts";

export interface CheckOptions {
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** The case of a line that belongs to this evaluation. */
  readonly rowOf: (line: ReadLine["line"]) => Case | undefined;
  /** Believe the grades in the file: only those that are missing are made. */
  readonly isTrusted: boolean;
}

/** The earlier lines of a file, checked. Nothing was written yet. */
export interface CheckedResults {
  /** Every line, in file order, with what must take its place. */
  readonly lines: readonly (Pick<ReadLine, "offset" | "length"> & { readonly by?: JsonObject })[];
  /** How many trials had no grade and were graded again, and how many of them still have none. */
  readonly again: { readonly trials: number; readonly failed: number };
  /** How many lines are of other cases or agents, and were not checked. */
  readonly unchecked: number;
  /** How many lines did not say what their recordings show. */
  readonly corrected: number;
  /** Why trials that count could not be shown to have ended as they say. */
  readonly unproven: readonly string[];
}

/**
 * Reads what earlier calls have written. An agent that runs as the same user can have changed it, so every grade is made again from the
 * sealed recordings; a line that says the same stays byte for byte. The agents do not run again.
 */
export async function checkResults(
  path: string,
  regrader: Regrader,
  { concurrency, signal, rowOf, isTrusted }: CheckOptions,
): Promise<CheckedResults> {
  const places: { readonly offset: number; readonly length: number; readonly row: Case | undefined; readonly isOpen: boolean }[] = [];
  for (const { offset, length, line } of readResults(path)) places.push({ offset, length, row: rowOf(line), isOpen: hasUngraded(line) });
  const used = new Set<string>();
  const found = new Map<number, JsonObject>();
  const unproven: string[] = [];
  let trials = 0;
  let failed = 0;
  let corrected = 0;
  const work = places.filter(({ row, isOpen }) => row !== undefined && (isOpen || !isTrusted));
  await inParallel(work, concurrency, signal, async ({ offset, length, row }) => {
    const value = parseObject(readStretch(path, offset, length));
    if (value === undefined || row === undefined) return;
    const line = { ...value, id: row.id };
    const missing = trialsIn(line).filter(isUngraded).length;
    const proof = isTrusted
      ? { line: await regrader.graded(line, "failed"), isChanged: true, unproven: [] }
      : await regrader.proven(line, row, used);
    if (signal.aborted) return;
    unproven.push(...proof.unproven);
    if (proof.isChanged) found.set(offset, proof.line);
    trials += missing;
    failed += missing === 0 ? 0 : trialsIn(proof.line).filter(isUngraded).length;
    if (proof.isChanged && missing === 0) corrected++;
  });
  const lines = places.map(({ offset, length }) => {
    const by = found.get(offset);
    return { offset, length, ...(by && { by }) };
  });
  const unchecked = isTrusted ? 0 : places.filter(({ row }) => row === undefined).length;
  return { lines, again: { trials, failed }, unchecked, corrected, unproven };
}

function hasUngraded(line: ReadLine["line"]): boolean {
  return trialsIn(line).some(isUngraded);
}
