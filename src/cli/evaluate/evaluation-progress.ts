import type { Progress } from "../../eval/evaluation.ts";
import type { Scheduled } from "../../eval/running/schedule.ts";
import { say } from "../report.ts";

/** What happens, on stderr: a line per finished trial where it was asked for or somebody watches. */
export function evaluationProgress(isAsked: boolean): { show: (progress: Progress) => void; end: (end: Scheduled) => void } {
  const isShown = isAsked || process.stderr.isTTY === true;
  let finished = 0;
  let passed = 0;
  let failed = 0;
  let errors = 0;
  let lost = 0;
  return {
    show(progress) {
      if (progress.type !== "finished") return;
      finished++;
      const { score, gradeError, status } = progress.attempt.line;
      if (score?.pass === true) passed++;
      else if (score !== undefined) failed++;
      else if (gradeError !== undefined) errors++;
      else if (status !== "completed" && status !== "failed" && status !== "blocked") lost++;
      const verdict =
        score === undefined ? (gradeError === undefined ? "" : ", the grader broke") : score.pass ? ", passed" : ", did not pass";
      if (isShown)
        say(`${finished}: ${progress.agent} ${JSON.stringify(progress.id)} trial ${progress.trialNum}: ${status ?? "not run"}${verdict}`);
    },
    end({ costUsd }) {
      if (!isShown) return;
      const cost = costUsd > 0 ? `, $${costUsd.toFixed(4)}` : "";
      say(`${finished} runs: ${passed} passed, ${failed} did not, ${errors} grader errors, ${lost} lost${cost}`);
    },
  };
}
