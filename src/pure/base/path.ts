/** Paths as agents write them, without a file system: lexical, POSIX first, Windows drive letters recognised. */

export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || path.startsWith("\\\\") || /^[A-Za-z]:[\\/]/.test(path);
}

/** Absolute where `base` makes it so, else as written. `~` and variables stay as written: nobody here knows their values. */
export function resolvePath(path: string, base: string | undefined): string {
  if (path.startsWith("/")) return needsTidying(path) ? tidy(path) : path;
  if (base === undefined || !base.startsWith("/") || path.startsWith("~") || path.startsWith("$") || isAbsolute(path)) return path;
  const joined = path === "." ? base : `${base}/${path}`;
  return needsTidying(joined) ? tidy(joined) : joined;
}

/** Whether a slash is followed by another one, by a dot or by nothing. One look: most paths are short, and as they should be. */
function needsTidying(path: string): boolean {
  for (let at = 0; at < path.length; at++) {
    if (path.charCodeAt(at) !== SLASH) continue;
    const next = path.charCodeAt(at + 1); // NaN behind the end
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
