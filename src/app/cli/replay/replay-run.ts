import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { agentOfRun, deriveRun, deriveSessionLog, findView, isSessionLog } from "../../../host/recording/index.ts";
import { log, withRefs } from "../../../pure/views/index.ts";
import { inTerminal, watchReader } from "../../terminal/index.ts";
import { namedAgent, openNamedRun, reportDamage, type ShownFlags } from "../options/index.ts";
import { printAccount, printRecords } from "../print-records.ts";

export interface ReplayFlags extends ShownFlags {
  readonly agent?: string;
  readonly speed?: number;
}

/** `harness replay`: prints the records of the live run at the same pace. */
export async function replayRun(name: string, flags: ReplayFlags): Promise<void> {
  watchReader();
  if (flags.agent === undefined && isSessionLog(name) && existsSync(name)) return replayLog(name, flags);
  const given = flags.agent === undefined ? undefined : await namedAgent(flags.agent);
  const { manifest, directory } = await openNamedRun(name, given);
  const agent = given ?? (await agentOfRun(manifest));
  const asAccount = flags.pretty ?? (inTerminal() && flags.json !== true && flags.view === undefined);
  const chosen = asAccount && flags.view === undefined ? log : findView(flags.view ?? "stream");
  const view = flags.refs ? withRefs(chosen) : chosen;
  const pace = paceOf(manifest.startedAt, flags.speed ?? 1);
  const batches = deriveRun(manifest, directory, agent, view, { ...flags, pace, onDamage: reportDamage(directory) });
  const readable = flags.pretty ?? (inTerminal() && flags.json !== true);
  await (chosen === log && asAccount ? printAccount(batches) : printRecords(batches, { view: chosen, json: flags.json, readable }));
}

/** A session log alone: its records have the times. */
async function replayLog(path: string, flags: ReplayFlags): Promise<void> {
  const chosen = findView(flags.view ?? "stream");
  let due: ReturnType<typeof paceOf>;
  const pace = (startedAt: number, at: number) => {
    due ??= paceOf(startedAt, flags.speed ?? 1);
    return due?.(at);
  };
  const { view: _, json, pretty, ...options } = flags;
  const batches = deriveSessionLog(path, flags.refs ? withRefs(chosen) : chosen, { ...options, pace });
  await printRecords(batches, { view: chosen, json, readable: pretty ?? (inTerminal() && json !== true) });
}

/** Waits until a recorded moment is due. It counts from the start, so that delays do not add up. */
function paceOf(startedAt: number, speed: number): ((at: number) => Promise<void> | undefined) | undefined {
  if (speed === Number.POSITIVE_INFINITY) return undefined;
  const begin = performance.now();
  return (at) => {
    const wait = (at - startedAt) / speed - (performance.now() - begin);
    return wait < 1 ? undefined : sleep(wait);
  };
}
