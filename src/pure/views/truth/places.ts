import { resolvePath } from "../../base/index.ts";

/**
 * A path as the agent writes it, as one from the workspace's root. Agents write absolute and relative ones, and the real path of a
 * root that is reached by a link. Null: it is elsewhere. Undefined: nobody can tell where it is.
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

/** One is the other, or lies in it; upper and lower case are the same on some file systems. */
export function touches(a: string, b: string): boolean {
  const left = a.toLowerCase();
  const right = b.toLowerCase();
  return left === right || left.startsWith(`${right}/`) || right.startsWith(`${left}/`) || left === "" || right === "";
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** What programs keep for themselves: caches, installed packages, what git and the agents write down. No agent reports those. */
const OWN =
  /(?:^|\/)(?:\.git|node_modules|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.cache|\.tox|\.venv|venv|target|\.gradle|\.next|\.nuxt|\.turbo|\.parcel-cache|\.vite|coverage|\.nyc_output|\.claude|\.codex|\.gemini|\.opencode|\.kilo|\.kilocode|\.goose|\.cline|\.clinerules|\.pi|\.agents|\.harness)(?:\/|$)|\.(?:pyc|pyo|log|pid|lock|tmp|swp|tsbuildinfo)$|(?:^|\/)(?:\.DS_Store|\.coverage|package-lock\.json|pnpm-lock\.yaml|go\.sum)$/;

export function isOwn(path: string): boolean {
  return OWN.test(path);
}
