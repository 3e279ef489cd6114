import { clipped } from "../../../pure/base/index.ts";
import { classOf, grade, trialsIn } from "../../../work/evaluate/index.ts";
import { FAILED, say, setExitCode, withOutput } from "../../terminal/index.ts";
import { neededGraderOptions, withStopSignals } from "../evaluation/index.ts";
import type { GraderFlags } from "../options/index.ts";

export interface GradeFlags extends GraderFlags {
  readonly output?: string;
  readonly force?: true;
}

export async function gradeResults(path: string, flags: GradeFlags): Promise<void> {
  const options = await neededGraderOptions(flags);
  const broken: string[] = [];
  const unverified: string[] = [];
  let trials = 0;
  let made = 0;
  await withOutput(flags.output, flags.force === true, (write) =>
    withStopSignals(async (signal) => {
      for await (const line of grade(path, { ...options, signal })) {
        await write(`${JSON.stringify(line)}\n`);
        for (const trial of trialsIn(line)) {
          trials++;
          if (["passed", "failed"].includes(classOf(trial, "counted").class) || trial["uncountedGrade"] !== undefined) made++;
          if (typeof trial["unverified"] === "string") unverified.push(trial["unverified"]);
          if (typeof trial["gradeError"] === "string") broken.push(trial["gradeError"]);
        }
      }
    }),
  );
  const [problem] = unverified;
  if (problem !== undefined)
    say(
      `not verified: ${unverified.length} of ${trials} trials rest on what their line says, because their recordings are not here (${problem}); grade where they were recorded, or repeat the cases. harness compare does not count them`,
    );
  const [first] = broken;
  if (first === undefined) return;
  say(`the grader broke in ${broken.length} of ${trials} trials, which have no grade (${clipped(first.replace(/\s+/g, " "), 300)})`);
  if (made === 0) setExitCode(FAILED);
}
