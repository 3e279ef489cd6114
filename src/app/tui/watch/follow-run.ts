import { setImmediate as breathe } from "node:timers/promises";
import { agentOfRun, deriveRun, type OpenedRun, openRun } from "../../../host/recording/index.ts";
import type { LogRecord } from "../../../pure/events/index.ts";
import { log } from "../../../pure/views/index.ts";

/** A key waits at most this long for an answer. */
const LONGEST_MS = 15;

/** Passes on the recorded events of a run, and new ones while it is live. Resolves at its end, or soon after the signal. */
export async function followRun(
  { directory, manifest, owner }: OpenedRun,
  onRecords: (records: readonly LogRecord[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const agent = await agentOfRun(manifest);
  const isLive = async () => !signal.aborted && (await openRun(directory)).owner !== undefined;
  let since = performance.now();
  for await (const records of deriveRun(manifest, directory, agent, log, owner === undefined ? {} : { isLive })) {
    if (signal.aborted) return;
    onRecords(records);
    if (performance.now() - since < LONGEST_MS) continue;
    await breathe();
    since = performance.now();
  }
}
