import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Seal } from "../../../host/recording/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import type { CaptureMode, Environment } from "../../../pure/events/index.ts";
import { type DecisionEvent, decision } from "../../../pure/views/index.ts";
import {
  checkKey,
  checkNames,
  type LiveObservation,
  promptScenario,
  readPolicy,
  readScenario,
  type Scenario,
  sign,
  startObservation,
} from "../../../work/observe/index.ts";
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
} from "../../terminal/index.ts";
import { type AgentFlags, readPrompt, runOptionsOf } from "../options/index.ts";
import { printRecords } from "../print-records.ts";
import { parts } from "./parts.ts";

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
  readonly json?: true;
}

/** `harness observe`: what could be refused is refused first; then the nine events are shown as they come. */
export async function runObservation(file: string | undefined, flags: ObserveFlags): Promise<void> {
  const scenario = await scenarioOf(file, flags);
  if (flags.sign !== undefined) await checkKey(flags.sign);
  checkNames(flags.checks ?? []);
  if (flags.policy !== undefined) readPolicy(flags.policy);
  if (flags.workspace !== undefined) checkWorkspace(flags.workspace);
  if (flags.wrap !== undefined) checkWrapped(flags.wrap);
  const { options } = await runOptionsOf(flags, []);
  const { workspace, ignore, capture, environment, wrap, trace, ledger, checks, policy, snapshots, out } = flags;
  const stop = new AbortController();
  let live: LiveObservation | undefined;
  const signals = onStopSignals((signal, count) => {
    if (process.stderr.isTTY && count === 1) say(`${signal}: stopping the agent; once more ends it at once`);
    if (live === undefined) stop.abort();
    else live.cancel();
  });
  try {
    live = await startObservation(
      {
        ...options,
        scenario,
        signal: stop.signal,
        ...(workspace !== undefined && { workspace: resolve(workspace) }),
        ignore,
        capture,
        environmentName: environment,
        wrap,
        trace,
        ledger,
        checks,
        policy,
        snapshots,
        out,
      },
      parts,
    );
    for (const option of live.plan.ignored) say(`warning: ${live.plan.agent.title} has no way to take ${flagOf(option)}; it is ignored`);
    await shown(live, flags);
  } finally {
    const seal = await live?.sealed.catch(() => undefined);
    const bySignal = signals.done();
    if (bySignal !== undefined && seal?.status === "canceled") setExitCode(bySignal);
  }
}

async function scenarioOf(file: string | undefined, { prompt, promptFile }: ObserveFlags): Promise<Scenario> {
  const isPrompt = prompt !== undefined || promptFile !== undefined;
  if (file !== undefined && isPrompt)
    throw new HarnessError("usage", "Give a scenario or a prompt, not both: a scenario holds its own request.");
  return file === undefined ? promptScenario(await readPrompt({ prompt, promptFile })) : readScenario(file);
}

async function shown(live: LiveObservation, flags: ObserveFlags): Promise<void> {
  let last: DecisionEvent | undefined;
  async function* watched(): AsyncGenerator<readonly DecisionEvent[]> {
    for await (const batch of live.batches()) {
      last = batch.at(-1) ?? last;
      yield batch;
    }
  }
  try {
    await printRecords(watched(), { view: decision, json: flags.json, readable: inTerminal() && flags.json !== true });
  } catch (error) {
    if (!(error instanceof HarnessError && error.code === "output")) throw error;
    live.cancel(); // nobody reads on
    await live.sealed.catch(() => undefined);
    if (!isClosedPipe(error.cause)) throw error;
    setExitCode(PIPE_CLOSED);
    return;
  }
  const seal = await live.sealed;
  setExitCode(exitCodeOf(seal, last));
  if (flags.sign !== undefined) await sign(join(live.out, "seal.json"), flags.sign);
  say(`observed as ${live.id} in ${live.out}; head ${seal.head}`);
}

/** The agent's end first: a run that did not complete is none whose checks say anything about its exit. */
function exitCodeOf({ status }: Seal, last: DecisionEvent | undefined): number {
  if (status !== "completed") return statusExitCode(status);
  const { alignment, quality, policy } = last?.evaluation ?? {};
  return [alignment, quality, policy].some((verdict) => verdict?.status === "fail") ? FAILED : OK;
}

function checkWrapped(names: readonly string[]): void {
  const odd = names.length === 0 ? "" : names.find((name) => name.includes("/"));
  if (odd === undefined) return;
  throw new HarnessError("usage", `--wrap takes names of programs, such as git,npm, or all; ${JSON.stringify(odd)} is none.`);
}

function checkWorkspace(path: string): void {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new HarnessError("usage", `There is no directory ${path} to be copied; name another --workspace, or say --empty.`);
}
