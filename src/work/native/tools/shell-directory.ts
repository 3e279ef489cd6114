import { realpathSync, statSync } from "node:fs";
import { relative, sep } from "node:path";
import type { ToolState } from "../tool-context.ts";

const KEY = "shell directory";

/** The directory that a conversation's shell is in: the last command's, unless it is gone. */
export function shellDirectory(root: string, state: ToolState): string {
  const kept = state.get(KEY);
  return typeof kept === "string" && isDirectory(kept) && isInside(root, kept) ? kept : root;
}

/**
 * Remembers the directory that a command ended in. `printed` is what its shell wrote when it exited; other processes may have written there
 * too, so only an existing directory counts. One outside the workspace is not kept: returns it, so that the model learns about it.
 */
export function keepDirectory(root: string, state: ToolState, printed: string): { readonly outside: string } | undefined {
  const last = printed.trimEnd().split("\n").at(-1) ?? "";
  if (!last.startsWith("/") || !isDirectory(last)) return undefined;
  if (!isInside(root, last)) {
    state.delete(KEY);
    return { outside: last };
  }
  state.set(KEY, last);
  return undefined;
}

function isInside(root: string, path: string): boolean {
  const way = relative(realpathSync(root), realpathSync(path));
  return way !== ".." && !way.startsWith(`..${sep}`);
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
