import { lstatSync, realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";

/** Whether a program's file changed since the agent started. `cwd`: its directory at the start, if that is known. */
export type IsNew = (program: string, cwd: string | null | undefined) => boolean;

/**
 * A program that the agent wrote is not the one that its name promises. The time is that of the inode (`ctime`), which programs cannot
 * set: writing, linking and renaming a file all change it. A file that is gone by now may have been anything.
 */
export function newPrograms(since: number): IsNew {
  const known = new Map<string, boolean>();
  return (program, cwd) => {
    if (!isAbsolute(program) && typeof cwd !== "string") return false; // its place is not known
    const path = resolve(cwd ?? "/", program);
    const found = known.get(path) ?? changedSince(path, since);
    known.set(path, found);
    return found;
  };
}

function changedSince(path: string, since: number): boolean {
  try {
    return [path, realpathSync(path)].some((each) => lstatSync(each).ctimeMs >= since);
  } catch {
    return true;
  }
}
