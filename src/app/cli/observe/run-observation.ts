import { HarnessError } from "../../../pure/base/index.ts";
import type { CaptureMode, Environment } from "../../../pure/events/index.ts";
import { decision } from "../../../pure/views/index.ts";
import { type Observation, type Observed, observe } from "../../../work/observe/index.ts";
import {
  FAILED,
  flagOf,
  inTerminal,
  isClosedPipe,
  OK,
  onStopSignals,
  PIPE_CLOSED,
  say,
  setExitCode,
  statusExitCode,
  watchReader,
} from "../../terminal/index.ts";
import { type AgentFlags, readPrompt, runOptionsOf } from "../options/index.ts";
import { printRecords } from "../print-records.ts";
import type { Failure } from "./failure.ts";

export interface ObserveFlags extends AgentFlags {
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly workspace?: string;
  readonly empty?: true;
  readonly ignore: readonly string[];
  readonly capture?: CaptureMode;
  readonly environment?: Environment;
  readonly wrap?: readonly string[];
  readonly trace?: true;
  readonly ledger?: string;
  readonly checks?: readonly string[];
  readonly policy?: string;
  readonly snapshots?: "turns";
  readonly out?: string;
  readonly sign?: string;
  readonly failOn?: readonly Failure[];
  readonly json?: true;
}

/** `harness observe`: prints each event when it happens. */
export async function runObservation(scenario: string | undefined, flags: ObserveFlags): Promise<void> {
  const hasPrompt = scenario === undefined || flags.prompt !== undefined || flags.promptFile !== undefined;
  const prompt = hasPrompt ? await readPrompt(flags) : undefined;
  const { options } = await runOptionsOf(flags, []);
  const { workspace, ignore, capture, environment, wrap, trace, ledger, checks, policy, snapshots, out, sign } = flags;
  const asked = { scenario, prompt, workspace, ignore, capture, wrap, trace, ledger, checks, policy, snapshots, out, sign };
  const stop = new AbortController();
  watchReader();
  let observation: Observation | undefined;
  const signals = onStopSignals((signal, count) => {
    if (process.stderr.isTTY && count === 1 && signal !== "SIGPIPE") say(`${signal}: stopping the agent; send it again to kill the agent`);
    if (observation === undefined) stop.abort();
    else observation.cancel();
  });
  try {
    observation = await observe({ ...options, ...asked, environmentName: environment, signal: stop.signal });
    for (const option of observation.ignored) say(`warning: ${observation.agent.title} does not support ${flagOf(option)}; it is ignored`);
    await show(observation, flags);
  } catch (error) {
    if (observation !== undefined || error !== stop.signal.reason) throw error; // otherwise a signal came before there was a run
  } finally {
    const observed = await observation?.done.catch(() => undefined);
    const bySignal = signals.done();
    if (bySignal !== undefined && (observation === undefined || observed?.status === "canceled")) setExitCode(bySignal);
  }
}

async function show(observation: Observation, { json, failOn = ["check"] }: ObserveFlags): Promise<void> {
  try {
    await printRecords(observation.batches(), { view: decision, json, readable: inTerminal() && json !== true });
  } catch (error) {
    if (!(error instanceof HarnessError && error.code === "output")) throw error;
    observation.cancel(); // the reader has left
    await observation.done.catch(() => undefined);
    if (!isClosedPipe(error.cause)) throw error;
    setExitCode(PIPE_CLOSED);
    return;
  }
  const observed = await observation.done;
  setExitCode(exitCodeOf(observed, failOn));
  say(`observed as ${observation.id} in ${observation.out}; head ${observed.head}`);
  if (observed.truth === "contradicted") say("The agent's report is contradicted; see harness derive last --view truth");
}

/** The status of the run comes first: checks count only if it completed. */
function exitCodeOf({ status, checks, truth }: Observed, failOn: readonly Failure[]): number {
  if (status !== "completed") return statusExitCode(status);
  if (failOn.includes("contradiction") && truth === "contradicted") return FAILED;
  return failOn.includes("check") && checks.some((check) => check.status === "fail") ? FAILED : OK;
}
