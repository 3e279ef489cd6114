import { createHash } from "node:crypto";
import { dataOf } from "../../../host/recording/index.ts";
import { arrayOf, type JsonObject, numberOf, objectOf, stringOf } from "../../../pure/base/index.ts";
import type { TrajectoryStep } from "../../../pure/views/index.ts";
import { durationOf, labelOf } from "../compare/index.ts";
import { capturesOf, type ReadLine, readResults, trialsIn } from "../results/index.ts";
import { patchOfRun } from "../running/index.ts";
import { classOf, gradeIn } from "../trial/index.ts";

/** A trial as reports show it. */
export interface ShownTrial {
  readonly side: string;
  readonly id: string;
  readonly number: number;
  readonly class: string;
  readonly reason: string | undefined;
  readonly reasoning: string | undefined;
  readonly output: string;
  readonly steps: readonly TrajectoryStep[];
  readonly durationMs: number | undefined;
  readonly line: ReadLine["line"];
  readonly trial: JsonObject;
  /** What the run changed in its workspace; empty if it was not kept here. */
  diff(): string;
}

/** The trials of results files, one at a time: a report on many of them fits in memory. */
export function* shownTrials(paths: readonly string[], dataDirectory?: string): Generator<ShownTrial> {
  const data = dataOf({ dataDirectory });
  for (const path of paths) {
    for (const { line } of readResults(path)) {
      const captures = capturesOf(line);
      for (const [index, trial] of trialsIn(line).entries()) {
        const grade = gradeIn(trial);
        const [run] = (arrayOf(trial["runs"]) ?? []).slice(-1);
        yield {
          side: labelOf(line, path),
          id: line.id,
          number: numberOf(trial["trialNum"]) ?? 1,
          class: classOf(trial).class,
          reason: stringOf(trial["gradeError"]) ?? stringOf((arrayOf(trial["errors"]) ?? []).at(-1)) ?? stringOf(trial["reason"]),
          reasoning: stringOf(grade["reasoning"]) ?? stringOf(objectOf(trial["uncountedGrade"])?.["reasoning"]),
          output: stringOf(trial["output"]) ?? "",
          steps: captures[index]?.trajectory ?? [],
          durationMs: durationOf(trial),
          line,
          trial,
          diff: () => (typeof run === "string" ? patchIn(data, run) : ""),
        };
      }
    }
  }
}

function patchIn(data: ReturnType<typeof dataOf>, run: string): string {
  try {
    return patchOfRun(data, run);
  } catch {
    return ""; // it was changed since: nothing of it is shown
  }
}

/** The same for the same case in every report, so that links to it keep working. Names are hostile, and never part of it. */
export function anchorOf(...names: readonly string[]): string {
  return `c-${createHash("sha256").update(JSON.stringify(names)).digest("hex").slice(0, 16)}`;
}
