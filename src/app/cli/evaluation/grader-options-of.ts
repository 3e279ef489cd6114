import { HarnessError } from "../../../pure/base/index.ts";
import type { GraderOptions } from "../../../work/evaluate/index.ts";
import { type GraderFlags, runOptionsOf } from "../options/index.ts";

export async function graderOptionsOf(flags: GraderFlags): Promise<GraderOptions> {
  return { grader: flags.grader, graderTimeoutMs: flags.graderTimeout, judge: await judgeOf(flags) };
}

export async function neededGraderOptions(flags: GraderFlags): Promise<GraderOptions> {
  if (flags.grader.length === 0)
    throw new HarnessError("usage", "Missing grader. Pass -g with exact, contains, regex, command:<line>, a module or an executable.");
  return graderOptionsOf(flags);
}

export async function judgeOf({ judge, judgeModel, judgeUrl }: Omit<GraderFlags, "grader">): Promise<GraderOptions["judge"]> {
  if (judgeUrl !== undefined) {
    if (judge !== undefined) throw new HarnessError("usage", "--judge and --judge-url cannot be combined. Remove one of them.");
    if (judgeModel === undefined) throw new HarnessError("usage", "--judge-url needs a model. Pass it with --judge-model.");
    return { url: judgeUrl, model: judgeModel };
  }
  return judge === undefined ? undefined : (await runOptionsOf({ agent: judge, model: judgeModel }, [])).options;
}
