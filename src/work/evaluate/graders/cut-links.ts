import { type Dirent, readdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Removes links that lead to what decides the verdict: an agent that cannot read an answer could still link to it. */
export function cutLinks(workspace: string, files: readonly string[]): void {
  const pinned = new Set(files.flatMap((file) => real(file) ?? []));
  const links = pinned.size === 0 ? [] : linksIn(workspace);
  for (const link of links) if (pinned.has(real(link) ?? "")) rmSync(link, { force: true });
}

function linksIn(directory: string): readonly string[] {
  return entriesOf(directory).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isSymbolicLink()) return [path];
    return entry.isDirectory() ? linksIn(path) : [];
  });
}

/** None, if the agent has removed the directory or its rights. */
function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // it leads nowhere
  }
}
