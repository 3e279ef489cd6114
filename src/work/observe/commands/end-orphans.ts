import { readlinkSync } from "node:fs";
import { processFile, processIds, processStat } from "../../../host/process/index.ts";
import { PARENT } from "./wrapper-script.ts";

/** A command without a known end, and the shell that waits for it: its process id as it sees it itself. */
export interface Waited {
  readonly id: string;
  readonly wrapper: number;
}

export interface Orphan {
  readonly id: string;
  readonly pid: number;
}

/**
 * SIGKILL to the process id of a wrapped command kills the wrapper, which cannot pass the signal on. So we do it: to exactly the process
 * that carries the command's mark while its parent does not, and only if its wrapper is gone. Inside walls, processes have other ids than
 * outside, so a wrapper is looked for among the processes that share a namespace with its program.
 */
export function orphanFinder(): (commands: readonly Waited[]) => readonly Orphan[] {
  /** Our ids of the wrappers that were seen, by command: reading all processes takes long. */
  const seen = new Map<string, number>();

  return (commands) => {
    const unseen = commands.filter(({ id, wrapper }) => placeOf(seen.get(id))?.number !== wrapper);
    if (unseen.length === 0) return [];
    const marks = new Set(unseen.map(({ id }) => id));
    const living = new Map<string, number>();
    const marked = new Map<string, Map<number, string>>();
    for (const pid of processIds()) {
      const place = placeOf(pid);
      if (place === undefined) continue;
      living.set(`${place.room} ${place.number}`, pid);
      const mark = markOf(pid);
      if (mark !== undefined && marks.has(mark)) marked.set(mark, (marked.get(mark) ?? new Map<number, string>()).set(pid, place.room));
    }
    return unseen.flatMap(({ id, wrapper }) => {
      const carriers = marked.get(id) ?? new Map<number, string>();
      const [found] = [...carriers.values()].flatMap((room) => living.get(`${room} ${wrapper}`) ?? []);
      if (found !== undefined) seen.set(id, found);
      return found === undefined ? [...carriers.keys()].flatMap((pid) => (carriers.has(parentOf(pid)) ? [] : [{ id, pid }])) : [];
    });
  };
}

export function endOrphan({ pid }: Orphan): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** The namespace of a process, and its id there. Undefined if it has ended, if it is not ours, or without /proc. */
function placeOf(pid: number | undefined): { readonly room: string; readonly number: number } | undefined {
  if (pid === undefined) return undefined;
  const status = processFile(pid, "status").toString("latin1");
  const number = /^NSpid:.*\t(\d+)$/m.exec(status)?.[1];
  if (number === undefined || /^State:\t[ZX]/m.test(status)) return undefined;
  try {
    return { room: readlinkSync(`/proc/${pid}/ns/pid`), number: Number(number) };
  } catch {
    return undefined;
  }
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
