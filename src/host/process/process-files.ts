import { readdirSync, readFileSync } from "node:fs";

/** All processes of this machine; none where there is no /proc. */
export function processIds(): readonly number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

/** A file of a process in /proc; empty if the process is gone, or another user's. */
export function processFile(pid: number | "self", file: "cmdline" | "environ" | "stat" | "status"): Buffer {
  try {
    return readFileSync(`/proc/${pid}/${file}`);
  } catch {
    return Buffer.alloc(0);
  }
}

/** What the kernel counts of a process, from its state on: the name in front of that may hold anything. Empty if it is gone. */
export function processStat(pid: number | "self"): readonly string[] {
  const stat = processFile(pid, "stat").toString("latin1");
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
