import { readFileSync, readlinkSync, statSync } from "node:fs";
import { basename } from "node:path";
import { descriptorsOf, isYoung, processIds, processName } from "./process-files.ts";

/** Seconds since boot; undefined without /proc. */
export function uptime(): number | undefined {
  try {
    return Number.parseFloat(readFileSync("/proc/uptime", "latin1"));
  } catch {
    return undefined;
  }
}

/**
 * The names of other processes that have this file open for writing, such as `sleep 60 (4711)`. With `since`, only of those that started
 * after that uptime. Finds none without /proc, none of another user, and none in a process namespace that we do not see.
 */
export function writersOf(path: string, since = 0): readonly string[] {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) return [];
  const name = basename(path);
  const isIt = (pid: number, fd: string) => {
    const link = `/proc/${pid}/fd/${fd}`;
    // The link's text first: asking for the state of a file on a dead network would wait.
    if (!basename(readlinkSync(link)).startsWith(name)) return false;
    const held = statSync(link);
    return held.ino === file.ino && held.dev === file.dev && isWritable(pid, fd);
  };
  const holds = (pid: number) => descriptorsOf(pid).some((fd) => attempt(() => isIt(pid, fd)) === true);
  return processIds()
    .filter((pid) => pid !== process.pid && isYoung(pid, since) && holds(pid))
    .map(processName);
}

function isWritable(pid: number, fd: string): boolean {
  const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, "latin1"))?.[1] ?? "0";
  return (Number.parseInt(flags, 8) & 0o3) !== 0;
}

/** Undefined if the process or its descriptor is gone. */
function attempt<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}
