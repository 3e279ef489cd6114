import { opendirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { simpleCommands } from "../../../pure/shell/index.ts";

/** A directory with more files is not one of checks. */
const MOST_FILES = 1000;

/**
 * The files and directories that a command names by an absolute path, and the directories of its globs. A relative path is the agent's.
 * Directories with very many files are left out.
 */
export function placesIn(command: string): readonly string[] {
  const words = simpleCommands(command)?.flat() ?? command.split(/\s+/);
  const paths = words.filter((word) => word.startsWith("/")).map(withoutGlob);
  return [...new Set(paths)].filter((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true || (stats?.isDirectory() === true && isSmall(path));
  });
}

function withoutGlob(path: string): string {
  const glob = path.search(/[*?[]/);
  return glob < 0 ? path : dirname(`${path.slice(0, glob)}x`);
}

function isSmall(directory: string): boolean {
  let files = 0;
  const open = [directory];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    let entries: ReturnType<typeof opendirSync>;
    try {
      entries = opendirSync(next);
    } catch {
      return false;
    }
    try {
      for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
        if (++files > MOST_FILES) return false;
        if (entry.isDirectory()) open.push(join(next, entry.name));
      }
    } finally {
      entries.closeSync();
    }
  }
  return true;
}
