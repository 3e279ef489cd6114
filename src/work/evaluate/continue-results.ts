import { HarnessError, type JsonObject, parseObject } from "../../pure/base/index.ts";
import { type Case, readStretch } from "./cases/index.ts";
import { type CheckedResults, checkResults } from "./check-results.ts";
import type { Progress } from "./progress.ts";
import { type Finished, type OpenLine, type Replacement, type ResultFile, readResults, replaceLines, trialsIn } from "./results/index.ts";
import type { Regrader } from "./running/index.ts";
import type { TrialPlan } from "./scheduling/index.ts";
import type { TrialEntry } from "./trial/index.ts";

export interface ContinueOptions {
  /** Undefined without a grader: then nothing needs proof. */
  readonly regrader: Regrader | undefined;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Believe the grades of earlier calls. */
  readonly isTrusted: boolean;
  /** The case of earlier work that belongs to this evaluation. */
  readonly rowOf: (work: Finished) => Case | undefined;
  readonly report: (progress: Progress) => void;
}

/**
 * Takes over what earlier calls have finished, after it is proven: lines of the file, and trials of the journal. Throws before anything is
 * written if the result of a trial that counts cannot be shown.
 */
export async function continueResults(
  out: ResultFile,
  plan: TrialPlan,
  reopened: readonly OpenLine[],
  { regrader, isTrusted, rowOf, report, ...options }: ContinueOptions,
): Promise<void> {
  const path = out.finished.length === 0 ? undefined : out.path;
  const workIn = (line: JsonObject) => rowOf(line as unknown as Finished);
  const checked =
    regrader === undefined || path === undefined ? undefined : await checkResults(path, regrader, { ...options, isTrusted, rowOf: workIn });
  const unproven = [...(checked?.unproven ?? [])];
  let corrected = checked?.corrected ?? 0;
  if (regrader !== undefined && !isTrusted)
    await plan.prove?.(async (work, entry) => {
      const row = rowOf(work);
      if (row === undefined) return entry; // of a different evaluation
      const { id, agent, configuration } = work;
      const { evaluation } = out;
      const line = { id, agent, configuration, ...(evaluation && { evaluation }), metadata: { agent }, trials: [entry] };
      const proof = await regrader.proven(line, row, new Set());
      const [now = entry] = trialsIn(proof.line) as unknown as readonly TrialEntry[];
      unproven.push(...proof.unproven);
      if (JSON.stringify(now) !== JSON.stringify(entry)) corrected++;
      return now;
    });
  rejectUnproven(unproven, out.path);
  if (path !== undefined && reopened.length > 0) {
    for (const { work, offset, length } of reopened) {
      const by = checked?.lines.find((line) => line.offset === offset)?.by;
      const line = by ?? parseObject(readStretch(path, offset, length));
      if (line !== undefined) plan.reopen(work, line);
    }
    report({ type: "reopened", lines: reopened.length, path: out.reopen(reopened) });
  }
  if (path !== undefined && checked !== undefined) replaceLines(path, replacementsIn(path, checked, reopened));
  if (checked !== undefined && checked.again.trials > 0) report({ type: "graded-again", ...checked.again });
  if (checked !== undefined && checked.unchecked > 0) report({ type: "unchecked", lines: checked.unchecked });
  if (corrected > 0) report({ type: "corrected", lines: corrected });
}

/** The lines have moved if others were reopened, but not changed places. */
function replacementsIn(path: string, { lines }: CheckedResults, reopened: readonly OpenLine[]): Replacement[] {
  if (!lines.some(({ by }) => by !== undefined)) return [];
  const left = lines.filter(({ offset }) => !reopened.some((line) => line.offset === offset));
  return [...readResults(path)].flatMap(({ offset, length }, index) => {
    const by = left[index]?.by;
    return by === undefined ? [] : [{ offset, length, by }];
  });
}

function rejectUnproven(unproven: readonly string[], path: string | undefined): void {
  const [first] = unproven;
  if (first === undefined) return;
  const more = unproven.length === 1 ? "" : `, and ${unproven.length - 1} more`;
  const what = `The grades in ${path ?? "the journal"} cannot be shown to be right: ${first}${more}`;
  throw new HarnessError("input", `${what}.`, { option: "trustGrades" });
}
