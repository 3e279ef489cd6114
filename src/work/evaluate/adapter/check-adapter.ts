import { existsSync, readFileSync } from "node:fs";
import { planRun, type RunOptions, runPaths, startRun } from "../../../host/recording/index.ts";
import { anyPartner } from "../../../pure/agents/index.ts";
import { errorWords } from "../../../pure/base/index.ts";
import { result } from "../../../pure/views/index.ts";
import { type AdapterCheck, judgeConversation } from "./judge-conversation.ts";

export interface CheckAdapterOptions extends Pick<RunOptions, "cwd" | "env" | "dataDirectory" | "signal"> {
  /** Default: "Say hello." */
  readonly prompt?: string;
  /** Default: a minute. */
  readonly timeoutMs?: number;
}

/** Sends an ACP adapter one prompt and reports what it does right and wrong. It judges the recording of an ordinary run. */
export async function checkAdapter(
  command: readonly string[],
  { prompt = "Say hello.", timeoutMs = 60_000, ...options }: CheckAdapterOptions = {},
): Promise<{ readonly run: string; readonly checks: readonly AdapterCheck[] }> {
  const call = { ...options, agent: anyPartner, prompt, extraArgs: command, timeoutMs, tags: ["adapter-check"] };
  const live = await startRun(planRun(call), call, result);
  const end = await live.sealed.catch((error: unknown) => ({ status: null, exitCode: null, unstarted: errorWords(error) }));
  const paths = runPaths(live.directory);
  const checks = judgeConversation({ ...end, ours: linesOf(paths.client), theirs: linesOf(paths.stdout) });
  return { run: live.id, checks };
}

function linesOf(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
}
