import { closeSync, constants, existsSync, fstatSync, openSync, readlinkSync, type Stats } from "node:fs";
import { resolve } from "node:path";
import { systemPath } from "./byte-path.ts";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * A place in a directory tree, held by descriptors: every step is relative to the directory we hold, so that no link, no renamed
 * parent and no length of a path leads anywhere else. Elsewhere than on Linux, where no path leads through a descriptor, the steps
 * are paths: the last name of each is never followed, but a process that still runs could swap a directory above it for a link.
 */
export interface Descent {
  /** The path of an entry of the directory we are in, for one call: its last name is the only one that could be a link. */
  at(name: string): string | Buffer;
  /** The path of the directory we are in. */
  here(): string | Buffer;
  fd(): number;
  /** How long the directory's own list of names was when it was entered. */
  size(): number;
  /** Goes one directory down. Throws where it is none, or is a link. */
  enter(name: string): Stats;
  leave(): void;
  close(): void;
}

/** So many directories are open at once; those further up are found again through `..`, and known by their inode. */
const HELD = 32;

interface Frame {
  fd: number | undefined;
  readonly name: string;
  readonly stats: Stats;
}

export const LINUX = process.platform === "linux" && existsSync("/proc/self/fd");

/** `self` is a link that is followed at every step, unless we know our own number; another mount of /proc may have other numbers. */
const DESCRIPTORS = LINUX && readlinkSync("/proc/self") === String(process.pid) ? `/proc/${process.pid}/fd` : "/proc/self/fd";

export interface DescentOptions {
  /** A link in the root's own place is followed. */
  readonly mayBeLink?: boolean | undefined;
  /** The way of systems other than Linux. */
  readonly byPath?: boolean | undefined;
  /** Closes a directory we have left: later, if paths to what is in it are still to be used. */
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
  throw Object.assign(new Error("a directory was moved meanwhile"), { code: "ESTALE" });
}
