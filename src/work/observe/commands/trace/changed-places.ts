import type { StraceCall } from "./strace-call.ts";

/** A path that a call changes, as in its arguments. */
export interface ChangedPlace {
  /** The base of a relative path: a descriptor's directory; undefined for the process's current directory. */
  readonly base?: string;
  /** Undefined for the descriptor itself. */
  readonly path?: string;
  /** Whether the call follows a link in the last name. */
  readonly follows: boolean;
}

// biome-ignore format: a table
/** Which arguments of a call are paths that it changes: `[directory's descriptor or null, path, whether it follows a link]`. */
const PLACES: Readonly<Record<string, readonly (readonly [dir: number | null, path: number, follows: boolean])[]>> = {
  truncate: [[null, 0, true]],
  rename: [[null, 0, false], [null, 1, false]],
  renameat: [[0, 1, false], [2, 3, false]],
  renameat2: [[0, 1, false], [2, 3, false]],
  unlink: [[null, 0, false]],
  unlinkat: [[0, 1, false]],
  rmdir: [[null, 0, false]],
  mkdir: [[null, 0, false]],
  mkdirat: [[0, 1, false]],
  mknod: [[null, 0, false]],
  mknodat: [[0, 1, false]],
  symlink: [[null, 1, false]],
  symlinkat: [[1, 2, false]],
  link: [[null, 0, false], [null, 1, false]], // a second name for a file is a way to write it
  linkat: [[0, 1, false], [2, 3, false]],
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
  removexattr: [[null, 0, true]],
  lremovexattr: [[null, 0, false]],
  fremovexattr: [[0, -1, true]],
};

/** These calls create writable descriptors. A process must use one before it can write, map or truncate a file. */
const OPENING: Readonly<Record<string, number>> = { open: 1, openat: 2, openat2: 2, open_by_handle_at: 2 };
const WRITING = /O_(?:WRONLY|RDWR|CREAT|TRUNC|TMPFILE)\b/;

export const CHANGING: readonly string[] = [...Object.keys(PLACES), ...Object.keys(OPENING), "creat"];

/** Whether the call only opens a file for reading, as most calls do. */
export function isPlainRead(text: string): boolean {
  return text.startsWith("open") && !WRITING.test(text);
}

export function changedPlaces(call: StraceCall): readonly ChangedPlace[] {
  const { name, args, path } = call;
  if (name === "creat" || name in OPENING) {
    const flags = name === "creat" ? "O_CREAT" : (args[OPENING[name] ?? 0] ?? "");
    if (!WRITING.test(flags)) return [];
    return call.result === undefined ? opening(call) : [{ ...(path !== undefined && { base: path }), follows: true }];
  }
  const isAsIs = /AT_SYMLINK_NOFOLLOW/.test(args.at(-1) ?? "");
  return (PLACES[name] ?? []).flatMap(([dir, at, follows]) => {
    const base = dir === null ? undefined : call.annotation(args[dir]);
    const text = at < 0 ? undefined : call.strings(args[at])[0];
    if (name === "linkat" && at === 1 && /^\/proc\/[^/]+\/fd\//.test(text ?? "")) return []; // a file without a name so far
    return [{ ...(base !== undefined && { base }), ...(text !== undefined && text !== "" && { path: text }), follows: follows && !isAsIs }];
  });
}

/** The target of an open call during which the process was ended: there is no descriptor that shows its path. */
function opening({ name, args, strings, annotation }: StraceCall): readonly ChangedPlace[] {
  const [base, path] = name.startsWith("openat") ? [annotation(args[0]), strings(args[1])[0]] : [undefined, strings(args[0])[0]];
  return [{ ...(base !== undefined && { base }), ...(path !== undefined && { path }), follows: true }];
}
