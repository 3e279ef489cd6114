import { readlinkSync } from "node:fs";
import { processFile, processIds, processStat } from "../../../host/process/index.ts";
import { PARENT } from "./wrapper-script.ts";

/** A command without a known end, and the shell that waits for it. */
interface Waited {
  readonly id: string;
  readonly wrapper: number;
}

/**
 * SIGKILL to the process id of a wrapped command kills the wrapper, which cannot pass the signal on. So we do it: to exactly the process
 * that carries the command's mark while its parent does not, and only if its wrapper is gone.
 */
export function endOrphans(commands: readonly Waited[]): void {
  const marks = new Set(commands.filter(({ wrapper }) => !isAlive(wrapper)).map(({ id }) => id));
  if (marks.size === 0) return;
  const marked = new Map<number, string>();
  for (const pid of processIds()) {
    const mark = markOf(pid);
    if (mark !== undefined && marks.has(mark)) marked.set(pid, mark);
  }
  for (const [pid, mark] of marked) if (marked.get(parentOf(pid)) !== mark) kill(pid);
}

function markOf(pid: number): string | undefined {
  const mark = processFile(pid, "environ")
    .toString("latin1")
    .split("\0")
    .find((each) => each.startsWith(`${PARENT}=`));
  return mark?.slice(PARENT.length + 1).replace(/:\d+$/, "");
}

function parentOf(pid: number): number {
  return Number(processStat(pid)[1]);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function isAlive(pid: number): boolean {
  try {
    readlinkSync(`/proc/${pid}/cwd`);
    return true;
  } catch {
    return false;
  }
}
