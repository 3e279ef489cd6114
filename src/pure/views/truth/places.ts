import { resolvePath } from "../../base/index.ts";
import type { FileChange } from "../../events/index.ts";

/**
 * An agent's path, relative to the workspace. Agents write absolute and relative paths, and the real path of a linked root. Null: outside
 * the workspace. Undefined: unknown.
 */
export function placeOf(path: string, roots: readonly string[]): string | null | undefined {
  if (path === "" || /[$~*?`]/.test(path[0] ?? "") || /[$*`]/.test(path)) return undefined;
  if (!path.startsWith("/")) return /^[A-Za-z]:|^\.\.(?:\/|$)/.test(path) ? undefined : resolvePath(path, "/").slice(1);
  const whole = resolvePath(path, "/");
  for (const root of roots) {
    if (whole === root) return "";
    if (whole.startsWith(`${root}/`)) return whole.slice(root.length + 1);
  }
  for (const root of roots) {
    const tail = root.split("/").slice(-2).join("/");
    const at = tail.length > 3 ? whole.indexOf(`/${tail}/`) : -1;
    if (at !== -1) return whole.slice(at + tail.length + 2);
  }
  return roots.length === 0 ? undefined : null;
}

/** Whether one path equals or contains the other. Case is ignored, as on some file systems. */
export function touches(a: string, b: string): boolean {
  const left = a.toLowerCase();
  const right = b.toLowerCase();
  return left === right || left.startsWith(`${right}/`) || right.startsWith(`${left}/`) || left === "" || right === "";
}

/**
 * Whether this change is a trace of a write to `place`. Every file in an added folder is a change itself, so the folder alone shows
 * nothing. Behind a folder that was replaced or could not be read, changes are not listed.
 */
export function shows({ path, was, kind }: FileChange, place: string): boolean {
  const isHidden = kind === "type" || kind === "unknown";
  const places = was === undefined ? [path] : [path, was];
  return places.some((each) => each.toLowerCase() === place.toLowerCase() || isWithin(each, place) || (isHidden && isWithin(place, each)));
}

function isWithin(inner: string, outer: string): boolean {
  return outer === "" || inner.toLowerCase().startsWith(`${outer.toLowerCase()}/`);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Caches, and the data of git and the agents: tests do not depend on them. */
const NOISE =
  /(?:^|\/)(?:\.git|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.cache|\.tox|\.gradle|\.turbo|\.parcel-cache|\.vite|coverage|\.nyc_output|\.claude|\.codex|\.gemini|\.opencode|\.kilo|\.kilocode|\.goose|\.cline|\.clinerules|\.pi|\.agents|\.harness)(?:\/|$)|\.(?:pyc|pyo|log|pid|tmp|swp|tsbuildinfo)$|(?:^|\/)(?:\.DS_Store|\.coverage)$/;
const INSTALLED =
  /(?:^|\/)(?:node_modules|\.venv|venv|target|\.next|\.nuxt)(?:\/|$)|\.lock$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|go\.sum)$/;

export function isNoise(path: string): boolean {
  return NOISE.test(path);
}

/** Files that programs keep for themselves: caches, installed packages, data of git and the agents. No agent reports those. */
export function isOwn(path: string): boolean {
  return NOISE.test(path) || INSTALLED.test(path);
}

/** Files for people to read. */
export function isDocument(path: string): boolean {
  return /\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)(?:docs?|LICEN[CS]E|CHANGELOG|AUTHORS|NOTICE)(?:\/|$)/i.test(path);
}
