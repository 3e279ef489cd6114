import { HarnessError } from "../core/errors.ts";
import { findView } from "../derive/derive.ts";
import { planRun } from "../recorder/plan-run.ts";
import { startRun } from "../recorder/run.ts";
import type { RunOptions } from "../recorder/run-options.ts";
import type { Seal } from "../store/run-manifest.ts";
import { log } from "../views/log.ts";
import { withRefs } from "../views/refs.ts";
import type { RunFlags } from "./commands/run.ts";
import { setExitCode } from "./exit-code.ts";
import { PIPE_CLOSED, statusExitCode } from "./exit-codes.ts";
import { inTerminal, isClosedPipe } from "./output.ts";
import { printDryRun } from "./print-dry-run.ts";
import { printAccount, printRecords } from "./print-records.ts";
import { readPrompt } from "./read-prompt.ts";
import { say } from "./report.ts";
import { runOptionsOf } from "./run-options-of.ts";
import { onStopSignals } from "./signals.ts";

/** `harness run`: plans, runs, shows, and turns what became of it into an exit code. */
export async function runAgent(flags: RunFlags, extraArgs: readonly string[]): Promise<void> {
  const { options, view: configured } = await runOptionsOf(flags, extraArgs);
  const prompt = await readPrompt(flags);
  const call: RunOptions = { ...options, prompt };
  const plan = planRun(call);
  for (const option of plan.ignored) say(`warning: ${plan.agent.title} has no way to take ${option}; it is ignored`);
  if (flags.dryRun) return printDryRun(plan, flags.json === true);

  const asAccount = flags.pretty ?? (inTerminal() && flags.json !== true && flags.view === undefined);
  const chosen = asAccount ? log : findView(flags.view ?? configured ?? "stream");
  const view = flags.refs ? withRefs(chosen) : chosen;
  const live = await startRun(plan, call, view, flags);
  const signals = onStopSignals((signal, count) => {
    if (process.stderr.isTTY && count === 1) say(`${signal}: stopping the agent; once more ends it at once`);
    live.cancel();
  });
  const seal = live.sealed.catch(() => undefined); // told by the batches, or below
  try {
    const readable = flags.pretty ?? (inTerminal() && flags.json !== true);
    await (asAccount ? printAccount(live.batches()) : printRecords(live.batches(), { view: chosen.id, readable }));
    finish(await live.sealed, live.id, asAccount);
  } catch (error) {
    if (!(error instanceof HarnessError && error.code === "output")) throw error;
    if (!flags.keepGoing) live.cancel(); // nobody reads on
    await seal;
    if (!isClosedPipe(error.cause)) throw error;
    setExitCode(PIPE_CLOSED);
  } finally {
    await seal;
    const bySignal = signals.done();
    if (bySignal !== undefined) setExitCode(bySignal);
  }
}

function finish(seal: Seal, id: string, asAccount: boolean): void {
  setExitCode(statusExitCode(seal.status));
  if (seal.status === "blocked" && !asAccount) say("the agent was blocked: a permission was refused; --permissions full allows everything");
  if (seal.truncated !== undefined) say("the agent truncated its own output: part of the recording is lost");
  if (asAccount) say(`recorded as ${id}; again: harness replay ${id}`);
}
