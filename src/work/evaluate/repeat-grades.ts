import { type Finished, type ReadLine, type Replacement, readResults, replaceLines, trialsIn } from "./results/index.ts";
import { isUngraded, type Regrader } from "./running/index.ts";
import { inParallel } from "./scheduling/index.ts";

export interface RepeatOptions {
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Whether a line belongs to this evaluation. */
  readonly isOurs: (line: Pick<Finished, "id" | "agent" | "configuration" | "caseHash">) => boolean;
}

/** How many trials were graded again, and how many of them still have no grade. */
export interface RepeatedGrades {
  readonly trials: number;
  readonly failed: number;
}

/** Grades again what an earlier call could not grade. The agents do not run again. The lines are replaced when all are graded. */
export async function repeatGrades(
  path: string,
  regrader: Regrader,
  { concurrency, signal, isOurs }: RepeatOptions,
): Promise<RepeatedGrades> {
  const open: ReadLine[] = [];
  for (const place of readResults(path)) if (hasUngraded(place.line) && isOurs(place.line as unknown as Finished)) open.push(place);
  const replacements: Replacement[] = [];
  let trials = 0;
  let failed = 0;
  await inParallel(open, concurrency, signal, async ({ line, offset, length }) => {
    const by = await regrader.graded(line, "failed");
    if (signal.aborted) return;
    trials += trialsIn(line).filter(isUngraded).length;
    failed += trialsIn(by).filter(isUngraded).length;
    replacements.push({ offset, length, by });
  });
  replaceLines(path, replacements);
  return { trials, failed };
}

function hasUngraded(line: ReadLine["line"]): boolean {
  return trialsIn(line).some(isUngraded);
}
