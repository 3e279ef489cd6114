import type { StraceCall } from "./strace-call.ts";

/** A path that a call changes, as in its arguments. */
export interface ChangedPlace {
  /** The base of a relative path: a descriptor's directory; undefined for the process's current directory. */
  readonly base?: string;
  /** Undefined for the descriptor itself. */
  readonly path?: string;
  /** Whether the call follows a link in the last name. */
  readonly follows: boolean;
  /** The call changes the name, not only what it names. */
  readonly isName: boolean;
  /** The descriptor itself has no name. */
  readonly isNameless?: boolean;
}

type Row = readonly [dir: number | null, path: number, follows: boolean | "name"];

// biome-ignore format: a table
/** Which arguments of a call are paths that it changes: `[directory's descriptor or null, path, whether it follows a link]`. */
const PLACES: Readonly<Record<string, readonly Row[]>> = {
  truncate: [[null, 0, true]],
  rename: [[null, 0, "name"], [null, 1, "name"]],
  renameat: [[0, 1, "name"], [2, 3, "name"]],
  renameat2: [[0, 1, "name"], [2, 3, "name"]],
  unlink: [[null, 0, "name"]],
  unlinkat: [[0, 1, "name"]],
  rmdir: [[null, 0, "name"]],
  mkdir: [[null, 0, "name"]],
  mkdirat: [[0, 1, "name"]],
  mknod: [[null, 0, "name"]],
  mknodat: [[0, 1, "name"]],
  symlink: [[null, 1, "name"]],
  symlinkat: [[1, 2, "name"]],
  link: [[null, 0, false], [null, 1, "name"]], // a second name for a file is a way to write it
  linkat: [[0, 1, false], [2, 3, "name"]],
  chmod: [[null, 0, true]],
  fchmod: [[0, -1, true]],
  fchmodat: [[0, 1, true]],
  fchmodat2: [[0, 1, true]],
  chown: [[null, 0, true]],
  lchown: [[null, 0, false]],
  fchown: [[0, -1, true]],
  fchownat: [[0, 1, true]],
  utime: [[null, 0, true]],
  utimes: [[null, 0, true]],
  futimesat: [[0, 1, true]],
  utimensat: [[0, 1, true]],
  setxattr: [[null, 0, true]],
  lsetxattr: [[null, 0, false]],
  fsetxattr: [[0, -1, true]],
  setxattrat: [[0, 1, true]],
  removexattr: [[null, 0, true]],
  lremovexattr: [[null, 0, false]],
  fremovexattr: [[0, -1, true]],
  removexattrat: [[0, 1, true]],
  file_setattr: [[0, 1, true]],
};

/** These calls create writable descriptors. A process must use one before it can write, map or truncate a file. */
const OPENING: Readonly<Record<string, number>> = { open: 1, openat: 2, openat2: 2, open_by_handle_at: 2 };
const WRITING = /O_(?:WRONLY|RDWR|CREAT|TRUNC)\b/;
/** Message queues have a file system with its usual place. */
const QUEUES: Readonly<Record<string, string>> = { mq_open: "/dev/mqueue/", mq_unlink: "/dev/mqueue/" };

/** Requests to a file that change it, even if it was opened for reading. */
export const CHANGING_REQUESTS: readonly string[] = ["FS_IOC_SETFLAGS", "FS_IOC_FSSETXATTR", "FS_IOC_SETVERSION", "FS_IOC_ENABLE_VERITY"];

export const CHANGING: readonly string[] = [...Object.keys(PLACES), ...Object.keys(OPENING), "creat", ...Object.keys(QUEUES)];

/** Whether the call only opens a file for reading, as most calls do. */
export function isPlainRead(text: string): boolean {
  return text.startsWith("open") && !WRITING.test(text);
}

export function isOpening({ name }: StraceCall): boolean {
  return name === "creat" || Object.hasOwn(OPENING, name);
}

/** The flags of a call that opens a file to write; undefined for other calls. */
function writingFlags({ name, args }: StraceCall): string | undefined {
  const flags = name === "creat" ? "O_CREAT" : Object.hasOwn(OPENING, name) ? (args[OPENING[name] ?? 0] ?? "") : "";
  return WRITING.test(flags) ? flags : undefined;
}

export function changedPlaces(call: StraceCall): readonly ChangedPlace[] {
  const { name, args, path } = call;
  if (isOpening(call)) {
    const flags = writingFlags(call);
    if (flags === undefined || (call.result !== undefined && isTemporary(call))) return []; // a file without a name changes nothing
    if (call.result === undefined) return asked(call);
    return [{ ...(path !== undefined && { base: path }), follows: true, isName: false, ...(call.isNameless && { isNameless: true }) }];
  }
  const queues = Object.hasOwn(QUEUES, name) ? QUEUES[name] : undefined;
  if (queues !== undefined) {
    if (name === "mq_open" && !/O_(?:CREAT|WRONLY|RDWR)/.test(args[1] ?? "")) return [];
    return [{ base: queues + (call.strings(args[0])[0] ?? ""), follows: false, isName: true }];
  }
  if (name === "ioctl") return CHANGING_REQUESTS.some((each) => (args[1] ?? "").includes(each)) ? [self(call, 0)] : [];
  return ((Object.hasOwn(PLACES, name) ? PLACES[name] : undefined) ?? []).map((row) => placeOf(call, row));
}

/** A file without a name: a separate call gives it one, and changes a directory. */
export function isTemporary({ name, args }: StraceCall): boolean {
  return (args[(Object.hasOwn(OPENING, name) ? OPENING[name] : undefined) ?? 0] ?? "").includes("O_TMPFILE");
}

function placeOf(call: StraceCall, [dir, at, follows]: Row): ChangedPlace {
  const { name, args } = call;
  const flags = name === "fchownat" || name.startsWith("f") || name === "utimensat" || name === "linkat" ? (args.at(-1) ?? "") : "";
  const base = dir === null ? undefined : call.annotation(args[dir]);
  const text = at < 0 ? undefined : call.strings(args[at])[0];
  if (dir !== null && (text === undefined || text === "")) return { ...self(call, dir), isName: follows === "name" };
  const isFollowed =
    name === "linkat" ? at === 1 && flags.includes("AT_SYMLINK_FOLLOW") : follows === true && !flags.includes("AT_SYMLINK_NOFOLLOW");
  return {
    ...(base !== undefined && { base }),
    ...(text !== undefined && { path: text }),
    follows: isFollowed,
    isName: follows === "name",
  };
}

/** The object behind a descriptor. */
function self(call: StraceCall, at: number): ChangedPlace {
  const [shown] = call.descriptors(call.args[at]);
  const base = shown?.path ?? call.annotation(call.args[at]);
  return { ...(base !== undefined && { base }), follows: true, isName: false, ...(shown?.isNameless && { isNameless: true }) };
}

/** The path that an open call asks for. The system shows the one that was really opened, unless the process was ended. */
export function asked({ name, args, strings, annotation }: StraceCall): readonly ChangedPlace[] {
  if (name === "open_by_handle_at") return [{ follows: true, isName: false }];
  const [base, path] = name.startsWith("openat") ? [annotation(args[0]), strings(args[1])[0]] : [undefined, strings(args[0])[0]];
  return [{ ...(base !== undefined && { base }), ...(path !== undefined && { path }), follows: true, isName: false }];
}
