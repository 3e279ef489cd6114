import { type BigIntStats, lstatSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** A file with several names (hard links). */
export interface FileObject {
  /** All its names in the workspace, from the root. Undefined: there are too many files to look for them. */
  names(): readonly string[] | undefined;
  /** Whether this absolute path is one of its names, anywhere. */
  isAt(path: string): boolean;
}

/** In a larger workspace, the other names are not searched. */
const MOST = 50_000;

/** The file at a path, if it has more than one name. */
export function objectAt(path: string, root: string): FileObject | undefined {
  const file = statOf(path);
  if (file === undefined || !file.isFile() || file.nlink < 2n) return undefined;
  let names: readonly string[] | undefined;
  let isSearched = false;
  return {
    names() {
      if (!isSearched) names = namesOf(file, root);
      isSearched = true;
      return names;
    },
    isAt: (other) => isSame(statOf(other), file),
  };
}

function namesOf(file: BigIntStats, root: string): readonly string[] | undefined {
  const found: string[] = [];
  const open = [root];
  let count = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (++count > MOST) return undefined;
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile() && isSame(lstatSync(path, { bigint: true, throwIfNoEntry: false }), file)) found.push(relative(root, path));
      if (found.length >= file.nlink) return found;
    }
  }
  return found;
}

function isSame(one: BigIntStats | undefined, other: BigIntStats): boolean {
  return one !== undefined && one.dev === other.dev && one.ino === other.ino;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
