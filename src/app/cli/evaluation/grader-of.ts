import { HarnessError } from "../../../pure/base/index.ts";
import { agentJudge, endpointJudge, findGraders, type Grader, type Judge } from "../../../work/evaluate/index.ts";
import { type GraderFlags, runOptionsOf } from "../options/index.ts";

/** The grader that the flags ask for; undefined where they ask for none. */
export async function graderOf(flags: GraderFlags): Promise<Grader | undefined> {
  return findGraders(flags.grader, { timeoutMs: flags.graderTimeout, judge: await judgeOf(flags) });
}

export async function neededGrader(flags: GraderFlags): Promise<Grader> {
  const grader = await graderOf(flags);
  if (grader === undefined)
    throw new HarnessError("usage", "Say how to grade with -g: a module, an executable, or exact, contains, regex, ….");
  return grader;
}

export async function judgeOf({ judge, judgeModel, judgeUrl }: Omit<GraderFlags, "grader">): Promise<Judge | undefined> {
  if (judgeUrl !== undefined) {
    if (judge !== undefined) throw new HarnessError("usage", "Give --judge or --judge-url, and not both.");
    if (judgeModel === undefined) throw new HarnessError("usage", "Say which model of --judge-url judges, with --judge-model.");
    const key = process.env["JUDGE_API_KEY"];
    return endpointJudge({ url: judgeUrl, model: judgeModel, ...(key === undefined ? {} : { key }) });
  }
  if (judge === undefined) return undefined;
  const { agent, cwd: _, ...options } = (await runOptionsOf({ agent: judge, model: judgeModel }, [])).options;
  if (typeof agent !== "object") throw new TypeError("an agent was not looked up");
  return agentJudge(agent, options);
}
