import { dataOf } from "../../../host/recording/index.ts";
import { hideSecrets, hideSecretsIn } from "../../../host/secrets/index.ts";
import { hashOfTree } from "../cases/index.ts";
import { agentIn, type GraderSpec, hashOf, type JudgeSpec, type LocalCode, type PreparedGrader } from "../trial/index.ts";
import { agentJudge } from "./agent-judge.ts";
import { endpointJudge } from "./endpoint-judge.ts";
import { findGraders } from "./find-grader.ts";
import type { Judge } from "./judge.ts";
import { pinnedGrader } from "./pinned-grader.ts";
import { type RecalledAnswers, recallingJudge } from "./recalled-answers.ts";
import { walledGrader } from "./walled-grader.ts";

/** What graders need from their process: agents and graders passed as code, and a place for the judges' runs. */
export interface GradingHost {
  readonly code: LocalCode;
  readonly dataDirectory?: string;
  /** What judges have answered before. */
  readonly recalled?: RecalledAnswers;
}

/** Rejects if a grader cannot be used. */
export async function prepareGrader(spec: GraderSpec, host: GradingHost): Promise<PreparedGrader | undefined> {
  const { graders, directory, timeoutMs } = spec;
  const judge = spec.judge && (await prepareJudge(spec.judge, host));
  const found = findGraders(graders, { timeoutMs, judge, directory, functions: host.code.graders });
  const version = found && hashOf([...graders, ...(found.files ?? []).map(hashOfTree)]);
  return (
    found &&
    walledGrader(hidingGrader(pinnedGrader({ ...found, ...(version !== undefined && { version }) })), {
      directory,
      hidden: [dataOf({ dataDirectory: host.dataDirectory }).root, ...(spec.hidden ?? [])],
    })
  );
}

export async function prepareJudge(spec: JudgeSpec, { code, dataDirectory, recalled }: GradingHost): Promise<Judge> {
  const asked =
    "url" in spec ? endpointJudge(spec, dataDirectory) : agentJudge(await agentIn(code, spec.agent), spec.settings, code, dataDirectory);
  const judge = recalled === undefined ? asked : recallingJudge(asked, recalled);
  return { ...judge, ask: (prompt, ...rest) => judge.ask(hideSecrets(prompt), ...rest) };
}

/** A grader reads and reports no secrets. The recorded answer is masked, so an expected one must be masked the same way. */
function hidingGrader(grader: PreparedGrader): PreparedGrader {
  return {
    ...grader,
    async grade(input, signal, launcher) {
      const { cwd, ...record } = input;
      const shown: typeof record = hideSecretsIn(record);
      return hideSecretsIn(await grader.grade({ ...shown, ...(cwd !== undefined && { cwd }) }, signal, launcher));
    },
  };
}
