import type { Resources } from "../../pure/events/index.ts";
import { processFile, processStat } from "./process-files.ts";

/** The unit of processor time in /proc: 1/100 s on every Linux. */
const TICK_MS = 10;
const LOOK_MS = 250;

export interface Times {
  readonly userMs: number;
  readonly systemMs: number;
}

/**
 * Measures a child process without privileges. Processor time comes from the kernel's sum over children that ended and were waited for;
 * memory is the peak of the child itself, sampled. On other systems than Linux nothing is known. `reported` replaces the kernel's sum for a
 * child whose parent is not this process.
 */
export function resourceMeter(find: () => number | undefined, reported?: () => Times | undefined): () => Resources {
  const before = childTimes();
  let maxRssBytes: number | null = null;
  const look = () => {
    const pid = find();
    const peak = pid === undefined ? undefined : peakOf(pid);
    if (peak !== undefined) maxRssBytes = Math.max(maxRssBytes ?? 0, peak);
  };
  look();
  const looking = setInterval(look, LOOK_MS).unref();
  return () => {
    clearInterval(looking);
    if (reported !== undefined) return { ...(reported() ?? { userMs: null, systemMs: null }), maxRssBytes };
    const after = childTimes();
    if (before === undefined || after === undefined) return { userMs: null, systemMs: null, maxRssBytes };
    return { userMs: (after.user - before.user) * TICK_MS, systemMs: (after.system - before.system) * TICK_MS, maxRssBytes };
  };
}

function childTimes(): { readonly user: number; readonly system: number } | undefined {
  const fields = processStat("self");
  const [user, system] = [Number(fields[13]), Number(fields[14])];
  return Number.isSafeInteger(user) && Number.isSafeInteger(system) ? { user, system } : undefined;
}

function peakOf(pid: number): number | undefined {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(processFile(pid, "status").toString("latin1"))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
