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

function needsTidying(path: string): boolean {
  return path.includes("//") || path.includes("/.") || (path.length > 1 && path.endsWith("/"));
}

function tidy(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return `/${parts.join("/")}`;
}
