/** Paths as agents write them. Purely lexical, without a file system: POSIX first, with Windows drive letters. */

export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || path.startsWith("\\\\") || /^[A-Za-z]:[\\/]/.test(path);
}

/** Absolute if `base` makes it so, else as written. `~` and variables stay as written, because their values are unknown here. */
export function resolvePath(path: string, base: string | undefined): string {
  if (path.startsWith("/")) return needsTidying(path) ? tidy(path) : path;
  if (base === undefined || !base.startsWith("/") || path.startsWith("~") || path.startsWith("$") || isAbsolute(path)) return path;
  const joined = path === "." ? base : `${base}/${path}`;
  return needsTidying(joined) ? tidy(joined) : joined;
}

/** Whether a slash is followed by a slash, a dot or the end. One pass, because most paths are short and already tidy. */
function needsTidying(path: string): boolean {
  for (let at = 0; at < path.length; at++) {
    if (path.charCodeAt(at) !== SLASH) continue;
    const next = path.charCodeAt(at + 1); // NaN past the end
    if (next === SLASH || next === DOT || (at > 0 && at + 1 === path.length)) return true;
  }
  return false;
}

const SLASH = 0x2f;
const DOT = 0x2e;

function tidy(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return `/${parts.join("/")}`;
}
