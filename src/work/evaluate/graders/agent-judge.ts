import { dataOf, planRun, startRun } from "../../../host/recording/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { result } from "../../../pure/views/index.ts";
import { type AgentSettings, type LocalCode, makeTrialFolders, runOptionsOf, wallsOfTrial } from "../trial/index.ts";
import type { Judge } from "./judge.ts";

/** Any agent as a judge: an ordinary recorded run in an empty directory with read-only permissions. */
export function agentJudge(agent: Agent, settings: AgentSettings, code: LocalCode, dataDirectory?: string): Judge {
  const options = { ...runOptionsOf(settings, code), dataDirectory };
  return {
    name: settings.model === undefined ? agent.id : `${agent.id} ${settings.model}`,
    async ask(prompt, signal) {
      const folders = makeTrialFolders(dataOf(options));
      try {
        const call = { ...options, agent, prompt, cwd: folders.workspace, permissions: "read-only" as const, tags: ["judge"], signal };
        const live = await startRun(planRun(call, undefined, undefined, wallsOfTrial("private")), call, result);
        let answer: string | null = null;
        for await (const batch of live.batches()) answer = batch.at(-1)?.output ?? answer;
        const { status, reason, usage, costUsd, partialUsage, partialCost } = await live.sealed;
        const used = { run: live.id, usage, costUsd, ...(partialUsage && { partialUsage }), ...(partialCost && { partialCost }) };
        if (status === "completed" && answer !== null) return { text: answer, ...used };
        const why = reason === null || reason === "" ? "" : `: ${reason}`;
        const error = `the run ${live.id} ended ${status ?? "without a status"}${why}`;
        return { error, isTransient: status === "infrastructure", ...used };
      } finally {
        await folders.remove();
      }
    },
  };
}
