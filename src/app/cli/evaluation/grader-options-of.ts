import { HarnessError } from "../../../pure/base/index.ts";
import type { GraderOptions } from "../../../work/evaluate/index.ts";
import { type GraderFlags, runOptionsOf } from "../options/index.ts";

/** How the flags ask for grading. */
export async function graderOptionsOf(flags: GraderFlags): Promise<GraderOptions> {
  return { grader: flags.grader, graderTimeoutMs: flags.graderTimeout, judge: await judgeOf(flags) };
}

export async function neededGraderOptions(flags: GraderFlags): Promise<GraderOptions> {
  if (flags.grader.length === 0)
    throw new HarnessError("usage", "Say how to grade with -g: a module, an executable, or exact, contains, regex, ….");
  return graderOptionsOf(flags);
}

export async function judgeOf({ judge, judgeModel, judgeUrl }: Omit<GraderFlags, "grader">): Promise<GraderOptions["judge"]> {
  if (judgeUrl !== undefined) {
    if (judge !== undefined) throw new HarnessError("usage", "Give --judge or --judge-url, and not both.");
    if (judgeModel === undefined) throw new HarnessError("usage", "Say which model of --judge-url judges, with --judge-model.");
    return { url: judgeUrl, model: judgeModel };
  }
  return judge === undefined ? undefined : (await runOptionsOf({ agent: judge, model: judgeModel }, [])).options;
}
