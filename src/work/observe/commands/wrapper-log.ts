import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { endOrphan, orphanFinder } from "./end-orphans.ts";
import { type CommandEnd, type EndRecord, type Invocation, readInvocation, readRecords, type StartRecord } from "./read-records.ts";
import { ALL_RECORDS } from "./wrapper-script.ts";

/** A command as its wrapper recorded it. Times are epoch milliseconds, exact to ten. */
export interface WrappedCommand extends Invocation {
  readonly id: string;
  readonly name: string;
  readonly wrapper: number;
  readonly ppid: number;
  readonly parent?: string;
  /** How many arguments there were; `args` has the recorded ones. */
  readonly argc: number;
  readonly startedAt: number;
  /** Absent while it runs, and if its wrapper was ended too early. */
  readonly endedAt?: number;
  readonly end?: CommandEnd;
  readonly pid?: number;
}

/** Detectable changes to the records. A process with our user id can forge a record that looks right, and we cannot detect that. */
export type Tampering = "log-removed" | "record-removed" | "record-malformed" | "record-touched";

export interface WrapperLog {
  /** Reads new records, and ends a program whose wrapper was killed. */
  poll(): void;
  /** In start order. */
  commands(): readonly WrappedCommand[];
  tampering(): ReadonlyMap<Tampering, number>;
}

/** A longer file is not from our wrappers. */
const LONGEST_INVOCATION = 160 * 1024;
/** Further commands are not kept. */
const MOST_COMMANDS = 200_000;
const PIECE = 1024 * 1024;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Reads the wrappers' records in `directory` as they arrive and remembers them, whatever happens to the file. */
export function wrapperLog(directory: string): WrapperLog {
  const path = join(directory, ALL_RECORDS);
  const inode = statSync(path).ino;
  const startedUp = Date.now() - (uptime() ?? 0) * 1000;
  const commands: WrappedCommand[] = [];
  const running = new Map<string, number>();
  const noticed = new Map<Tampering, number>();
  const hash = createHash("sha256");
  const orphansAmong = orphanFinder();
  let read = 0;
  let rest: Buffer = Buffer.alloc(0);

  const notice = (kind: Tampering, count = 1): void => void noticed.set(kind, (noticed.get(kind) ?? 0) + count);
  const timeOf = (seconds: number | null): number => (seconds === null ? Date.now() : startedUp + seconds * 1000);

  function poll(): void {
    readNew();
    const orphans = orphansAmong([...running].map(([id, at]) => ({ id, wrapper: commands[at]?.wrapper ?? 0 })));
    if (orphans.length === 0) return;
    readNew(); // a wrapper that ended by itself has recorded it by now, and what its program left behind may continue
    for (const orphan of orphans) if (running.has(orphan.id)) endOrphan(orphan);
  }

  function readNew(): void {
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

  function begin({ kind: _, uptime: seconds, invocation, ...record }: StartRecord): void {
    if (commands.length >= MOST_COMMANDS) return;
    const all = invocation ?? invocationOf(record.id);
    if (all === undefined) return;
    running.set(record.id, commands.length);
    commands.push({ ...record, ...all, startedAt: timeOf(seconds) });
  }

  function end({ id, uptime: seconds, pid, end: how }: EndRecord): void {
    const at = running.get(id) ?? -1;
    const command = commands[at];
    if (command === undefined) return notice("record-malformed"); // there is no record of its start
    running.delete(id);
    commands[at] = { ...command, pid, end: how, endedAt: Math.max(command.startedAt, timeOf(seconds)) };
  }

  /** Reads only a regular file that we own: a link or a pipe in its place is tampering. */
  function invocationOf(id: string): Invocation | undefined {
    try {
      const file = join(directory, `${id}.more`);
      const stats = lstatSync(file);
      if (stats.isFile() && stats.nlink === 1 && stats.size <= LONGEST_INVOCATION) return readInvocation(readFileSync(file));
      notice("record-malformed");
    } catch {
      notice("record-removed");
    }
    return undefined;
  }

  /** Whether what we have read is still there. */
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

/** In seconds, to a hundredth, as a wrapper records its time. */
function uptime(): number | undefined {
  try {
    return Number(readFileSync("/proc/uptime", "latin1").split(" ")[0]);
  } catch {
    return undefined; // not Linux: a record's time is then the time of reading it
  }
}
