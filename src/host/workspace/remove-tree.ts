import { chmodSync, closeSync, constants, fchmodSync, lstatSync, openSync, rmdirSync, type Stats, unlinkSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { codeOf } from "../../pure/base/index.ts";
import { reasonOf } from "../files/index.ts";
import { breathing } from "./breathing.ts";
import { descend, LINUX } from "./descent.ts";
import { mountsBelow } from "./mounts.ts";
import { type Named, namesIn, typeOf } from "./names-in.ts";
import type { NotMade } from "./rebuild.ts";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** Opens a descriptor for a directory we may not read. Linux only, and not defined by Node. */
const O_PATH = 0o10000000;

/** Undefined if there is nothing, also if a file is on the way there. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

interface Level {
  readonly name: string;
  readonly path: string;
  readonly names: Named[];
}

/**
 * Removes whatever an agent may have left: directories no one may enter, paths longer than the system accepts, names that are not valid
 * text. A link is removed, never followed; a mount is left alone. Returns what could not be removed, with the reason. A missing path is
 * fine.
 */
export async function removeTree(path: string): Promise<readonly NotMade[]> {
  const root = resolve(path);
  const stats = statsOf(root);
  if (stats === undefined) return [];
  const left: NotMade[] = [];
  const mounts = mountsBelow(root);
  const breath = breathing();
  const descent = descend(dirname(root), { mayBeLink: true });
  const levels: Level[] = [{ name: "", path: "", names: [{ name: basename(root), type: typeOf(stats) ?? "unknown" }] }];

  try {
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const entry = level.names.pop();
      if (entry !== undefined) remove(entry, levels.length === 1 ? "" : level.path === "" ? entry.name : `${level.path}/${entry.name}`);
      else if (levels.length === 1) break;
      else leave(level);
      if (breath.due()) await breath.take();
    }
  } finally {
    descent.close();
  }
  return left;

  function remove({ name, type }: Named, below: string): void {
    trying(below, () => {
      if (type !== "directory") return unlinkSync(descent.at(name));
      if (mounts.has(below)) return void left.push({ path: below, reason: "something is mounted there" });
      if (entered(name).dev !== stats?.dev) {
        descent.leave();
        return void left.push({ path: below, reason: "another file system is mounted there" });
      }
      levels.push({ name, path: below, names: namesIn(descent, Number.POSITIVE_INFINITY).names });
    });
  }

  function leave({ name, path: below }: Level): void {
    levels.pop();
    descent.leave(); // may throw if another process moves directories meanwhile: then stopping is the only safe choice
    trying(below, () => rmdirSync(descent.at(name)));
  }

  function entered(name: string): Stats {
    let found: Stats;
    try {
      found = descent.enter(name);
    } catch (error) {
      if (codeOf(error) !== "EACCES") throw error;
      openUp(descent.at(name));
      found = descent.enter(name);
    }
    if ((found.mode & 0o700) !== 0o700) fchmodSync(descent.fd(), 0o700);
    return found;
  }

  function trying(below: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      if (codeOf(error) !== "ENOENT")
        left.push({ path: below, reason: codeOf(error) === "ENOTEMPTY" ? "it is not empty" : reasonOf(error) });
    }
  }
}

/** Gives the owner all rights to a directory that cannot be opened. Acts on the directory itself, wherever its name leads by now. */
function openUp(at: string | Buffer): void {
  if (!LINUX) {
    if (lstatSync(at).isDirectory()) chmodSync(at, 0o700);
    return;
  }
  const fd = openSync(at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_PATH);
  try {
    chmodSync(`/proc/self/fd/${fd}`, 0o700);
  } finally {
    closeSync(fd);
  }
}
