import { readdirSync, readFileSync } from "node:fs";
import { HAS_PROC, processTable } from "./process-table.ts";

/** All processes on this machine. */
export function processIds(): readonly number[] {
  if (!HAS_PROC) return [...processTable(true).keys()];
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

/** A file of a process in /proc; empty if the process is gone or belongs to another user. Without /proc, only `cmdline` and `environ` exist. */
export function processFile(pid: number | "self", file: "cmdline" | "environ" | "stat" | "statm" | "status"): Buffer {
  if (!HAS_PROC) return listedFile(pid, file);
  try {
    return readFileSync(`/proc/${pid}/${file}`);
  } catch {
    return Buffer.alloc(0);
  }
}

/** `ps` puts spaces between arguments, and shows variables after them. */
function listedFile(pid: number | "self", file: string): Buffer {
  const command = processTable().get(pid === "self" ? process.pid : pid)?.command ?? "";
  return Buffer.from(file === "environ" ? command : file === "cmdline" ? `${command.replaceAll(" ", "\0")}\0` : "", "latin1");
}

/** The fields of /proc/<pid>/stat from the state on: the name before it may contain anything. Empty if the process is gone. */
export function processStat(pid: number | "self"): readonly string[] {
  if (!HAS_PROC) {
    const row = processTable().get(pid === "self" ? process.pid : pid);
    return row === undefined ? [] : [row.state.slice(0, 1), `${row.parent}`, `${row.group}`, row.session, row.hasTerminal ? "1" : "0"];
  }
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
