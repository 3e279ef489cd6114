import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { forProgram, writeFile } from "../../../host/sink/index.ts";
import { removeTree } from "../../../host/workspace/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import type { WorkspaceLayer } from "../trial/index.ts";

/** Changes our own copy of a workspace, and returns what was there to remove. A link in the workspace leads nowhere: it is replaced. */
export async function applyLayers(workspace: string, layers: readonly WorkspaceLayer[]): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const layer of layers) {
    const path = "remove" in layer ? layer.remove : layer.path;
    const target = join(workspace, path);
    if (target !== workspace && !target.startsWith(`${workspace}${sep}`))
      throw new HarnessError("usage", `${path} is not inside the workspace. Name a path below it.`, { option: "files" });
    if ("remove" in layer) {
      if (isThere(target) && isPlain(workspace, target)) {
        await removeTree(target);
        removed.push(layer.remove);
      }
    } else copyOver(layer.from, target, workspace);
  }
  return removed;
}

function copyOver(from: string, target: string, workspace: string): void {
  if (statSync(from).isDirectory()) {
    for (const name of readdirSync(from)) copyOver(join(from, name), join(target, name), workspace);
    return;
  }
  makeDirectory(dirname(target), workspace);
  rmSync(target, { recursive: true, force: true });
  writeFile(target, forProgram(readFileSync(from)), { mode: statSync(from).mode & 0o777 });
}

/** A part of the path that is not a directory makes way for one. */
function makeDirectory(path: string, workspace: string): void {
  if (path === workspace) return;
  makeDirectory(dirname(path), workspace);
  if (existsSync(path) && !lstatSync(path).isDirectory()) rmSync(path, { force: true });
  mkdirSync(path, { recursive: true });
}

function isPlain(workspace: string, target: string): boolean {
  for (let path = dirname(target); path.length > workspace.length; path = dirname(path)) if (!lstatSync(path).isDirectory()) return false;
  return true;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
