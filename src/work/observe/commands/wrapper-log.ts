import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { endOrphans } from "./end-orphans.ts";
import { type CommandEnd, type CommandWords, type EndRecord, readRecords, readWords, type StartRecord } from "./read-records.ts";
import { ALL_RECORDS } from "./wrapper-script.ts";

/** A command as its wrapper told it, times in epoch milliseconds, exact to ten. */
export interface WrappedCommand extends CommandWords {
  readonly id: string;
  readonly name: string;
  readonly wrapper: number;
  readonly ppid: number;
  readonly parent?: string;
  /** How many arguments there were; `args` are those that were written down. */
  readonly argc: number;
  readonly startedAt: number;
  /** Absent while it runs, and where the wrapper was ended before it could say. */
  readonly endedAt?: number;
  readonly end?: CommandEnd;
  readonly pid?: number;
}

/** What can be noticed of somebody who changes the records. Who has our user id can forge one that looks right: nobody notices that. */
export type Tampering = "log-removed" | "record-removed" | "record-malformed" | "record-touched";

export interface WrapperLog {
  /** Looks again: what is new is taken in, and a program whose wrapper was killed is ended as it would have been. */
  poll(): void;
  /** In the order in which they started. */
  commands(): readonly WrappedCommand[];
  tampering(): ReadonlyMap<Tampering, number>;
}

/** Files longer than that are not our wrappers'. */
const LONGEST_WORDS = 160 * 1024;
/** More commands than this are not kept. */
const MOST_COMMANDS = 200_000;
const PIECE = 1024 * 1024;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Reads the records of wrappers in `directory` as they come, and remembers them, whatever becomes of the file. */
export function wrapperLog(directory: string): WrapperLog {
  const path = join(directory, ALL_RECORDS);
  const inode = statSync(path).ino;
  const startedUp = Date.now() - (uptime() ?? 0) * 1000;
  const commands: WrappedCommand[] = [];
  /** Where the command of an id stands among them, as long as it runs. */
  const running = new Map<string, number>();
  const noticed = new Map<Tampering, number>();
  const hash = createHash("sha256");
  let read = 0;
  let rest: Buffer = Buffer.alloc(0);

  const notice = (kind: Tampering, count = 1): void => void noticed.set(kind, (noticed.get(kind) ?? 0) + count);
  const timeOf = (seconds: number | null): number => (seconds === null ? Date.now() : startedUp + seconds * 1000);

  function poll(): void {
    withLog((fd, size) => {
      if (size < read) noticed.set("record-removed", 1);
      while (read < size) {
        const piece = Buffer.allocUnsafe(Math.min(PIECE, size - read));
        const count = readSync(fd, piece, 0, piece.length, read);
        if (count === 0) break;
        read += count;
        take(piece.subarray(0, count));
      }
    });
    endOrphans([...running].map(([id, at]) => ({ id, wrapper: commands[at]?.wrapper ?? 0 })));
  }

  function withLog(use: (fd: number, size: number) => void): void {
    let fd: number | undefined;
    try {
      fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      const stats = fstatSync(fd);
      if (stats.ino === inode && stats.isFile()) use(fd, stats.size);
      else noticed.set("log-removed", 1);
    } catch {
      noticed.set("log-removed", 1);
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  function take(piece: Buffer): void {
    hash.update(piece);
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const { records, taken, malformed } = readRecords(bytes);
    if (malformed > 0) notice("record-malformed", malformed);
    rest = Buffer.from(bytes.subarray(taken));
    for (const record of records)
      if (record.kind === "start") begin(record);
      else end(record);
  }

  function begin({ kind: _, uptime: seconds, words, ...record }: StartRecord): void {
    if (commands.length >= MOST_COMMANDS) return;
    const all = words ?? wordsOf(record.id);
    if (all === undefined) return;
    running.set(record.id, commands.length);
    commands.push({ ...record, ...all, startedAt: timeOf(seconds) });
  }

  function end({ id, uptime: seconds, pid, end: how }: EndRecord): void {
    const at = running.get(id) ?? -1;
    const command = commands[at];
    if (command === undefined) return notice("record-malformed"); // nobody said that it had started
    running.delete(id);
    commands[at] = { ...command, pid, end: how, endedAt: Math.max(command.startedAt, timeOf(seconds)) };
  }

  /** A regular file of our own making only: a link or a pipe in its place is somebody's work. */
  function wordsOf(id: string): CommandWords | undefined {
    try {
      const file = join(directory, `${id}.more`);
      const stats = lstatSync(file);
      if (stats.isFile() && stats.nlink === 1 && stats.size <= LONGEST_WORDS) return readWords(readFileSync(file));
      notice("record-malformed");
    } catch {
      notice("record-removed");
    }
    return undefined;
  }

  /** What was read is still what is there. */
  function isAsRead(): boolean {
    const again = createHash("sha256");
    withLog((fd) => {
      const piece = Buffer.allocUnsafe(PIECE);
      for (let at = 0; at < read; ) {
        const count = readSync(fd, piece, 0, Math.min(PIECE, read - at), at);
        if (count === 0) break;
        again.update(piece.subarray(0, count));
        at += count;
      }
    });
    return again.digest("hex") === hash.copy().digest("hex");
  }

  return {
    poll,
    commands: () => commands,
    tampering() {
      if (noticed.size === 0 && !isAsRead()) noticed.set("record-touched", 1);
      return noticed;
    },
  };
}

/** Seconds, to a hundredth: what a wrapper writes down as its time. */
function uptime(): number | undefined {
  try {
    return Number(readFileSync("/proc/uptime", "latin1").split(" ")[0]);
  } catch {
    return undefined; // not Linux: a record's time is then when it is read
  }
}
