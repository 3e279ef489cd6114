import { join, resolve } from "node:path";
import { probeVersion } from "../../host/process/index.ts";
import { dataOf, type LiveRun, newRunId, planRun, type RunOptions, type RunPlan, startRun } from "../../host/recording/index.ts";
import { findSecrets } from "../../host/secrets/index.ts";
import type { View } from "../../pure/pipeline/index.ts";
import { type DecisionEvent, decision } from "../../pure/views/index.ts";
import type { CommandWatch, WatchCommands } from "./command-watch.ts";
import type { Evaluate } from "./evaluate.ts";
import type { ObserveOptions } from "./observe-options.ts";
import { createOut, type OutDirectory, removeOut } from "./out-directory.ts";
import { promptOf } from "./scenario.ts";
import { witnessOf } from "./witness-of.ts";

export interface LiveObservation extends LiveRun<DecisionEvent> {
  readonly out: string;
  readonly plan: RunPlan;
}

export interface Parts {
  readonly watchCommands: WatchCommands;
  readonly evaluate: Evaluate;
}

/**
 * Starts an observed run: an ordinary recorded run in its own workspace, with the observations among its records. If it cannot start,
 * rejects and leaves nothing behind. From then on nine decision events come, whatever happens.
 */
export async function startObservation(options: ObserveOptions, parts: Parts): Promise<LiveObservation> {
  const id = newRunId(new Date());
  const out = createOut(resolve(options.out ?? join("runs", id)));
  try {
    const directory = join(dataOf(options).runs, id);
    const log = join(directory, "artifacts", "command_logs.jsonl");
    const parent = options.environment ?? process.env;
    const path = options.env?.["PATH"] ?? parent["PATH"];
    const { wrap = [], trace = false } = options;
    const bashEnv = options.env?.["BASH_ENV"]; // an inherited one is not passed on
    const watch = await parts.watchCommands({ wrap, trace, path, ...(bashEnv !== undefined && { bashEnv }), directory: out.commands, log });
    const plan = planned(options, out, watch, id);
    const find = findSecrets(plan.secrets);
    const agentVersion = await versionOf(plan, parent);
    const canceled = new AbortController(); // a workspace may take long to copy
    const signal = options.signal === undefined ? canceled.signal : AbortSignal.any([options.signal, canceled.signal]);
    const witness = witnessOf({
      plan,
      options: { ...options, signal },
      out,
      directory,
      agentVersion,
      find,
      watch,
      evaluate: parts.evaluate,
    });
    const launcher = watch.traced?.(plan.launcher) ?? plan.launcher;
    const view = decision as View<DecisionEvent>;
    const live = await startRun({ ...plan, launcher }, { ...options, prompt: plan.prompt }, view, {}, witness);
    const cancel = () => {
      canceled.abort();
      live.cancel();
    };
    return { ...live, cancel, out: out.path, plan };
  } catch (error) {
    await removeOut(out);
    throw error;
  }
}

function planned(options: ObserveOptions, out: OutDirectory, watch: CommandWatch, id: string): RunPlan {
  const { scenario, workspace: _, ...rest } = options;
  const env = { ...options.env, ...watch.env };
  const call: RunOptions = { ...rest, env, prompt: promptOf(scenario), cwd: out.workspace };
  return planRun(call, undefined, id, { writes: [out.commands] });
}

/** Does not ask a user's own command for its version: it may start working instead. */
async function versionOf({ agent, binary, launcher }: RunPlan, environment: NodeJS.ProcessEnv): Promise<string | null> {
  if (agent.binaries.length === 0) return null;
  try {
    return (await probeVersion(binary, environment, { launcher })).version;
  } catch {
    return null; // the start reports why
  }
}
