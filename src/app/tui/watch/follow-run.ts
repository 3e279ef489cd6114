import { setImmediate as breathe } from "node:timers/promises";
import { agentOfRun, deriveRun, type OpenedRun, openRun } from "../../../host/recording/index.ts";
import type { LogRecord } from "../../../pure/events/index.ts";
import { log } from "../../../pure/views/index.ts";

/** Longer than this at a time nobody waits for a key to be answered. */
const LONGEST_MS = 15;

/** Tells what is recorded of a run, and while it goes on what comes; resolves at its end, or soon after the signal. */
export async function followRun(
  { directory, manifest, owner }: OpenedRun,
  told: (records: readonly LogRecord[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const agent = await agentOfRun(manifest);
  const isLive = async () => !signal.aborted && (await openRun(directory)).owner !== undefined;
  let since = performance.now();
  for await (const records of deriveRun(manifest, directory, agent, log, owner === undefined ? {} : { isLive })) {
    if (signal.aborted) return;
    told(records);
    if (performance.now() - since < LONGEST_MS) continue;
    await breathe();
    since = performance.now();
  }
}
