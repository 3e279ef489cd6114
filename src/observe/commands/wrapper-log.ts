import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { type CommandEnd, readEnd, readStart, type WrapperRecord } from "./read-command.ts";
import { PARENT } from "./wrapper-script.ts";

/** A command as its wrapper told it. Times are those of the two files, in epoch milliseconds. */
export interface WrappedCommand extends WrapperRecord {
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly end?: CommandEnd;
}

/** What can be noticed of somebody who changes the records. Who has our user id can forge one that looks right: nobody notices that. */
export type Tampering = "log-removed" | "record-removed" | "record-malformed" | "record-touched";

export interface WrapperLog {
  /** Looks again: what is new is taken in, and a program whose wrapper was killed is ended as it would have been. */
  poll(): void;
  commands(): readonly WrappedCommand[];
  tampering(): ReadonlyMap<Tampering, number>;
}

/** Records longer than that are not our wrappers'. */
const LONGEST_RECORD = 160 * 1024;
/** More commands than this are counted by their files only. */
const MOST_COMMANDS = 200_000;
/** The clock of a file may run this far behind that of whoever set it. */
const CLOCK_SLACK_MS = 2_000;

/** Reads the records of wrappers in `directory` as they come, and remembers them, whatever becomes of the files. */
export function wrapperLog(directory: string): WrapperLog {
  const inode = statSync(directory).ino;
  const begun = new Map<string, WrappedCommand>();
  const ended = new Map<string, WrappedCommand>();
  const noticed = new Map<string, Tampering>();

  function poll(): void {
    const names = list();
    if (names === undefined) {
      noticed.set("", "log-removed");
      return;
    }
    const present = new Set(names);
    for (const name of names) {
      const id = name.slice(0, name.lastIndexOf("."));
      if (ended.has(id) || ended.size >= MOST_COMMANDS) continue;
      if (name.endsWith(".start")) take(id, present.has(`${id}.end`));
      else if (!name.endsWith(".end") || !present.has(`${id}.start`)) noticed.set(name, "record-malformed");
    }
    for (const [id, command] of begun) {
      if (!present.has(`${id}.start`)) noticed.set(id, "record-removed");
      else if (!present.has(`${id}.end`)) endOrphan(command);
    }
    for (const id of ended.keys()) if (!present.has(`${id}.start`) || !present.has(`${id}.end`)) noticed.set(id, "record-removed");
  }

  function list(): readonly string[] | undefined {
    try {
      return lstatSync(directory).ino === inode ? readdirSync(directory) : undefined;
    } catch {
      return undefined;
    }
  }

  function take(id: string, isEnded: boolean): void {
    const start = fileOf(`${id}.start`);
    const record = start && readStart(id, start.bytes);
    if (start === undefined || record === undefined) {
      if (start !== undefined && start.bytes.length > 0) noticed.set(id, "record-malformed"); // an empty one is being written
      return;
    }
    const command = { ...record, startedAt: begun.get(id)?.startedAt ?? start.stats.mtimeMs };
    const end = isEnded ? fileOf(`${id}.end`) : undefined;
    const how = end && readEnd(end.bytes.toString("latin1"));
    if (end === undefined || how === undefined) begun.set(id, command);
    else {
      begun.delete(id);
      ended.set(id, { ...command, startedAt: Math.min(command.startedAt, end.stats.mtimeMs), endedAt: end.stats.mtimeMs, end: how });
      if (wasTouched(end.stats)) noticed.set(id, "record-touched");
    }
  }

  /** Regular files of our own making only: a link or a pipe in their place is somebody's work. */
  function fileOf(name: string): { readonly bytes: Buffer; readonly stats: Stats } | undefined {
    const path = join(directory, name);
    try {
      const stats = lstatSync(path);
      if (stats.isFile() && stats.nlink === 1 && stats.size <= LONGEST_RECORD) return { bytes: readFileSync(path), stats };
      noticed.set(name, "record-malformed");
    } catch {
      noticed.set(name, "record-removed");
    }
    return undefined;
  }

  return {
    poll,
    commands: () => [...begun.values(), ...ended.values()].sort((a, b) => a.startedAt - b.startedAt || a.wrapper - b.wrapper),
    tampering() {
      const counts = new Map<Tampering, number>();
      for (const kind of noticed.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return counts;
    },
  };
}

function wasTouched({ mtimeMs, ctimeMs }: Stats): boolean {
  return Math.abs(ctimeMs - mtimeMs) > CLOCK_SLACK_MS;
}

/**
 * Whoever kills a wrapped command by its number and with SIGKILL kills the wrapper, which cannot pass that on. So we do: to the very
 * process that carries the command's mark, and only if its wrapper is gone.
 */
function endOrphan({ id, wrapper, pid }: WrappedCommand): void {
  if (pid === undefined || isAlive(wrapper) || !isAlive(pid)) return;
  try {
    const marks = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
    if (marks.some((mark) => mark.startsWith(`${PARENT}=${id}:`))) process.kill(pid, "SIGKILL");
  } catch {
    // It is gone, or somebody else's.
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
