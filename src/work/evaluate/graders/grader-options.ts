import { HarnessError } from "../../../pure/base/index.ts";
import {
  type AgentEntry,
  type EndpointSpec,
  type Grader,
  type GraderSpec,
  type JudgeSpec,
  type LocalCode,
  localCode,
  nameOfAgent,
  nameOfGrader,
  type PreparedGrader,
  plain,
  settingsOf,
} from "../trial/index.ts";
import type { Judge } from "./judge.ts";
import { prepareGrader, prepareJudge } from "./prepare-grader.ts";

/** The grading options, shared by every function that grades. */
export interface GraderOptions {
  /** A built-in grader, a module or an executable as on the command line (docs/guides/evaluate.md), or a function. If there are several, all must pass. */
  readonly grader?: string | Grader | readonly (string | Grader)[];
  /** The base of the graders' relative paths. Default: the current directory. */
  readonly graderDirectory?: string;
  /** How long one grade may take. Default: five minutes. */
  readonly graderTimeoutMs?: number;
  /** The judge for `llm:<rubric file>`: an agent, or an OpenAI-compatible endpoint. */
  readonly judge?: AgentEntry | EndpointSpec;
}

/** The graders as plain data; functions become local code. Undefined if there is no grader. */
export function graderSpecOf(
  { grader = [], graderTimeoutMs, graderDirectory = process.cwd(), judge }: GraderOptions,
  code: LocalCode,
  hidden?: readonly string[],
): GraderSpec | undefined {
  const all = typeof grader === "object" ? grader : [grader];
  if (all.length === 0) return undefined;
  const graders = all.map((each) => (typeof each === "string" ? each : nameOfGrader(each, code)));
  return plain({ graders, directory: graderDirectory, timeoutMs: graderTimeoutMs, hidden, judge: judge && judgeSpecOf(judge, code) });
}

/** The prepared grader; rejects if there is none, or if it cannot be used. Its programs do not see what is `hidden`. */
export async function graderOf(
  options: GraderOptions & { readonly dataDirectory?: string },
  hidden?: readonly string[],
): Promise<PreparedGrader> {
  const code = localCode();
  const spec = graderSpecOf(options, code, hidden);
  const grader = spec && (await prepareGrader(spec, { code, dataDirectory: options.dataDirectory }));
  if (grader === undefined) throw new HarnessError("usage", "Name a `grader`.", { option: "grader" });
  return grader;
}

export async function judgeOf(judge: AgentEntry | EndpointSpec | Judge, dataDirectory: string | undefined): Promise<Judge> {
  const code = localCode();
  return "ask" in judge ? judge : prepareJudge(judgeSpecOf(judge, code), { code, dataDirectory });
}

function judgeSpecOf(judge: AgentEntry | EndpointSpec, code: LocalCode): JudgeSpec {
  return plain("url" in judge ? judge : { agent: nameOfAgent(judge.agent, code), settings: settingsOf(judge, code) });
}
