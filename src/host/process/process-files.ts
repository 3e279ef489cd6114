import { readdirSync, readFileSync } from "node:fs";

/** All processes on this machine; empty without /proc. */
export function processIds(): readonly number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

/** A file of a process in /proc; empty if the process is gone or belongs to another user. */
export function processFile(pid: number | "self", file: "cmdline" | "environ" | "stat" | "statm" | "status"): Buffer {
  try {
    return readFileSync(`/proc/${pid}/${file}`);
  } catch {
    return Buffer.alloc(0);
  }
}

/** The fields of /proc/<pid>/stat from the state on: the name before it may contain anything. Empty if the process is gone. */
export function processStat(pid: number | "self"): readonly string[] {
  const stat = processFile(pid, "stat").toString("latin1");
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** The processes that a process started and did not lose. */
export function childrenOf(parent: number): readonly number[] {
  try {
    return readFileSync(`/proc/${parent}/task/${parent}/children`, "latin1").split(" ").filter(Boolean).map(Number);
  } catch {
    return processIds().filter((pid) => Number(processStat(pid)[1]) === parent);
  }
}

/** Its command line, shortened, and its id. */
export function processName(pid: number): string {
  const words = processFile(pid, "cmdline")
    .toString()
    .replace(/[\s\0]+/g, " ")
    .trim();
  return `${words.slice(0, 100)} (${pid})`;
}

/** The descriptors of a process; empty if it is another user's. */
export function descriptorsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
}

/** Linux counts process times in this many ticks per second on every architecture that Node supports. */
const TICKS = 100;

/** Whether it started after this uptime; always, for 0. */
export function isYoung(pid: number, since: number): boolean {
  return since === 0 || Number(processStat(pid)[19]) / TICKS >= since - 1;
}
