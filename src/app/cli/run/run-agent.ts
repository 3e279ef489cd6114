import {
  earlierRun,
  findView,
  type LiveRun,
  planRun,
  type RunOptions,
  type RunPlan,
  type Seal,
  startRun,
} from "../../../host/recording/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import { anyTokens } from "../../../pure/events/index.ts";
import type { View } from "../../../pure/pipeline/index.ts";
import { log, withRefs } from "../../../pure/views/index.ts";
import {
  flagOf,
  inTerminal,
  isClosedPipe,
  onStopSignals,
  PIPE_CLOSED,
  say,
  setExitCode,
  statusExitCode,
  watchReader,
} from "../../terminal/index.ts";
import { type AgentFlags, openNamedRun, readPrompt, runOptionsOf, type ShownFlags } from "../options/index.ts";
import { printAccount, printRecords } from "../print-records.ts";
import { printDryRun } from "./print-dry-run.ts";

export interface RunFlags extends AgentFlags, ShownFlags {
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly resume?: string;
  readonly at?: string;
  readonly cwd?: string;
  readonly dryRun?: true;
  readonly keepGoing?: true;
  readonly sign?: string;
}

interface Shown {
  readonly asAccount: boolean;
  readonly view: View;
}

/** `harness run`: plans the run, starts it, prints it, and sets the exit code. */
export async function runAgent(flags: RunFlags, extraArgs: readonly string[]): Promise<void> {
  const earlier = flags.resume === undefined ? undefined : await earlierRun((await openNamedRun(flags.resume)).directory, flags.at);
  const { options, view: configured } = await runOptionsOf(flags, extraArgs, earlier);
  const prompt = await readPrompt(flags);
  const stop = new AbortController();
  const call: RunOptions = { ...options, prompt, sign: flags.sign, signal: stop.signal };
  const plan = planRun(call, earlier);
  for (const option of plan.ignored) say(`warning: ${plan.agent.title} does not support ${flagOf(option)}; it is ignored`);
  if (plan.unheld !== undefined) say(`warning: ${plan.unheld}`);
  if (flags.dryRun) return printDryRun(plan, flags.json === true);

  const asAccount = flags.pretty ?? (inTerminal() && flags.json !== true && flags.view === undefined);
  const chosen = asAccount ? log : findView(flags.view ?? configured ?? "stream");
  const view = flags.refs ? withRefs(chosen) : chosen;
  watchReader();
  // From here on, a signal stops the agent instead of this process.
  let live: LiveRun<object> | undefined;
  const signals = onStopSignals((signal, count) => {
    if (signal === "SIGPIPE" && flags.keepGoing) return;
    if (process.stderr.isTTY && count === 1 && signal !== "SIGPIPE") say(`${signal}: stopping the agent; send it again to kill the agent`);
    if (live === undefined) stop.abort();
    else live.cancel();
  });
  try {
    live = await startRun<object>(plan, call, view, flags);
    await show(live, plan, flags, { asAccount, view: chosen });
  } catch (error) {
    if (live !== undefined || error !== stop.signal.reason) throw error; // otherwise a signal came before there was a run
  } finally {
    const seal = await live?.sealed.catch(() => undefined);
    const bySignal = signals.done();
    if (bySignal !== undefined && (live === undefined || seal?.status === "canceled")) setExitCode(bySignal);
  }
}

async function show(live: LiveRun<object>, plan: RunPlan, flags: RunFlags, { asAccount, view }: Shown): Promise<void> {
  const seal = live.sealed.catch(() => undefined); // a failure is reported by the batches, or below
  try {
    const readable = flags.pretty ?? (inTerminal() && flags.json !== true);
    await (asAccount ? printAccount(live.batches()) : printRecords(live.batches(), { view, json: flags.json, readable }));
    finish(await live.sealed, plan, asAccount);
  } catch (error) {
    if (!(error instanceof HarnessError && error.code === "output")) throw error;
    if (!flags.keepGoing) live.cancel(); // the reader has left
    await seal;
    if (!isClosedPipe(error.cause)) throw error;
    setExitCode(PIPE_CLOSED);
  }
}

function finish(seal: Seal, { id, agent, earlier, task }: RunPlan, asAccount: boolean): void {
  setExitCode(statusExitCode(seal.status));
  if (
    earlier !== undefined &&
    agent.inside !== true &&
    seal.status === "failed" &&
    seal.toolCalls === 0 &&
    !anyTokens(seal.usage) &&
    seal.partialUsage === undefined
  )
    say(`nothing was added to session ${earlier.sessionId}: ${agent.title} may no longer have it in this home and directory`);
  if (seal.status === "blocked" && !asAccount) {
    const remedy = task.hook === undefined ? "; --permissions full allows everything" : "; its permission-decision event says why";
    say(`the agent was blocked: a permission was denied${remedy}`);
  }
  if (seal.truncated !== undefined) say("the agent truncated its output: part of the recording is lost");
  if (asAccount) say(`recorded; see it again with: harness replay ${id}`);
}
