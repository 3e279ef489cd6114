import type { OutOfTime } from "../../../pure/verdicts/index.ts";
import type { Evaluation, Progress } from "../../../work/evaluate/index.ts";
import { evaluationProgress } from "./evaluation-progress.ts";
import { reportEnd } from "./report-end.ts";
import { withStopSignals } from "./with-stop-signals.ts";

export interface FollowFlags {
  readonly progress?: true;
  readonly outOfTime?: OutOfTime;
  readonly output?: string;
}

/** Shows the progress of an evaluation, lets a signal stop it, and says what kept it from being complete. */
export async function followed<Result>(
  { progress: isWanted, outOfTime, output }: FollowFlags,
  work: (signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<Evaluation<Result>>,
): Promise<Evaluation<Result> | undefined> {
  let end: Evaluation<Result> | undefined;
  await withStopSignals(async (signal) => {
    const progress = evaluationProgress(isWanted === true, outOfTime);
    try {
      end = await work(signal, progress.show);
    } finally {
      progress.end(end === undefined || end.stopped === "canceled" ? "Interrupted after" : "Finished in", output, end?.unfinished); // stops its timers
    }
    reportEnd(end, progress.lanes(), output);
  });
  return end;
}
