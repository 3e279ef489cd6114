import { closeSync, constants, existsSync, fstatSync, openSync, readlinkSync, type Stats } from "node:fs";
import { resolve } from "node:path";
import { systemPath } from "./byte-path.ts";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * A place in a directory tree, held by descriptors. Every step is relative to the directory we hold, so no link, renamed parent or long
 * path leads anywhere else. On systems other than Linux, paths do not lead through descriptors, so the steps are plain paths: the last name
 * is never followed, but a running process could replace a parent directory with a link.
 */
export interface Descent {
  /** The path of an entry in the current directory, for one call: only its last name could be a link. */
  at(name: string): string | Buffer;
  /** The path of the current directory. */
  here(): string | Buffer;
  fd(): number;
  /** The size of the directory itself when it was entered. */
  size(): number;
  /** Goes down one directory. Throws if it is not a directory or is a link. */
  enter(name: string): Stats;
  leave(): void;
  close(): void;
}

/** How many directories stay open. Those further up are found again through `..` and recognized by their inode. */
const HELD = 32;

interface Frame {
  fd: number | undefined;
  readonly name: string;
  readonly stats: Stats;
}

export const LINUX = process.platform === "linux" && existsSync("/proc/self/fd");

/** `self` is a link that every step follows, unless we know our pid; a different mount of /proc may have different pids. */
const DESCRIPTORS = LINUX && readlinkSync("/proc/self") === String(process.pid) ? `/proc/${process.pid}/fd` : "/proc/self/fd";

export interface DescentOptions {
  /** Follow a link in place of the root. */
  readonly mayBeLink?: boolean | undefined;
  /** Use plain paths, as on systems other than Linux. */
  readonly byPath?: boolean | undefined;
  /** Closes a directory we have left, or defers that while paths into it are still in use. */
  readonly release?: ((fd: number) => void) | undefined;
}

export function descend(root: string, { mayBeLink = false, byPath = !LINUX, release = closeSync }: DescentOptions = {}): Descent {
  const base = resolve(root);
  const frames: Frame[] = [frameOf(openSync(base, O_RDONLY | O_DIRECTORY | (mayBeLink ? 0 : O_NOFOLLOW)), "")];

  const top = (): Frame => frames.at(-1) as Frame;
  const here = (): string | Buffer =>
    byPath ? frames.slice(1).reduce<string | Buffer>((path, { name }) => systemPath(path, name), base) : `${DESCRIPTORS}/${top().fd}`;
  const at = (name: string): string | Buffer => systemPath(here(), name);

  return {
    at,
    here,
    fd: () => top().fd as number,
    size: () => top().stats.size,
    enter(name) {
      const fd = openSync(at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
      const frame = frameOf(fd, name);
      frames.push(frame);
      const old = frames.at(-1 - HELD);
      if (old?.fd !== undefined) {
        release(old.fd);
        old.fd = undefined;
      }
      return frame.stats;
    },
    leave() {
      const up = byPath ? undefined : `${here()}/..`;
      const left = frames.pop() as Frame;
      try {
        const parent = top();
        parent.fd ??= sameDirectory(openSync(up ?? here(), O_RDONLY | O_DIRECTORY | (byPath ? O_NOFOLLOW : 0)), parent);
      } finally {
        if (left.fd !== undefined) release(left.fd);
      }
    },
    close() {
      for (const { fd } of frames.splice(0)) if (fd !== undefined) release(fd);
    },
  };
}

function frameOf(fd: number, name: string): Frame {
  return { fd, name, stats: fstatSync(fd) };
}

function sameDirectory(fd: number, { stats: { dev, ino } }: Frame): number {
  const stats = fstatSync(fd);
  if (stats.dev === dev && stats.ino === ino) return fd;
  closeSync(fd);
  throw Object.assign(new Error("a directory was moved in the meantime"), { code: "ESTALE" });
}
