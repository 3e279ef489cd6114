import { unescaped } from "./c-string.ts";
import { type ChangedPlace, isPlainRead } from "./changed-places.ts";
import { type LinkMapOptions, linkMap } from "./link-map.ts";
import type { StraceCall } from "./strace-call.ts";
import type { TracedProcess } from "./trace-processes.ts";

const OPENED = / = (\d+)<((?:[^<>\\]|\\.)*)>$/;

/** Resolves the paths in calls: the processes' current directories, their descriptors and links. */
export function tracePaths(known: LinkMapOptions) {
  const links = linkMap(known);

  /** Most calls open a file for reading. Once the current directory is certain, such a call only teaches us where a descriptor leads. */
  function isIdle(text: string, { where, files }: TracedProcess): boolean {
    if (!where.isSure || !isPlainRead(text)) return false;
    const [, fd, path] = OPENED.exec(text) ?? [];
    if (path?.startsWith("/")) files.set(Number(fd), unescaped(path));
    return true;
  }

  /** The system shows the current directory when it names a file relative to it, and a descriptor's path when it returns one. */
  function learn({ name, args, result, path: leads, annotation, strings }: StraceCall, process: TracedProcess): void {
    const here = args.find((arg) => arg.startsWith("AT_FDCWD"));
    const shown = here === undefined ? undefined : annotation(here);
    if (shown !== undefined) Object.assign(process.where, { path: shown, isSure: true });
    if (leads?.startsWith("/") && result !== undefined) process.files.set(result, leads);
    if (result !== 0) return;
    const to = name === "fchdir" ? annotation(args[0]) : undefined;
    if (to !== undefined) Object.assign(process.where, { path: to, isSure: true });
    if (name !== "chdir") return;
    const [path = ""] = strings(args[0]);
    const at = resolve({ path, follows: true }, process);
    process.where.isSure = false;
    if (at === undefined) delete process.where.path;
    else process.where.path = at;
  }

  /** Undefined if it cannot be known. */
  function resolve({ base, path, follows }: ChangedPlace, process: TracedProcess): string | undefined {
    if (path === undefined) return base;
    const [, fd, rest] = /^\/(?:proc\/(?:self|thread-self)|dev)\/fd\/(\d+)(\/.*)?$/s.exec(path) ?? [];
    if (fd !== undefined) {
      const leads = process.files.get(Number(fd));
      return leads && links.resolve(leads + (rest ?? ""), follows);
    }
    if (path.startsWith("/")) return links.resolve(path, follows);
    const from = base ?? process.where.path;
    return from?.startsWith("/") ? links.resolve(`${from}/${path}`, follows) : undefined;
  }

  /** Applies a call's changes to links; `places` are the paths it changes. */
  function relink({ name, args, strings }: StraceCall, [first, second]: readonly (string | undefined)[]): void {
    if (name.startsWith("symlink") && first !== undefined) links.made(first, strings(args[0])[0] ?? "");
    else if (/^(?:unlink|rmdir)/.test(name) && first !== undefined) links.removed(first);
    else if (name.startsWith("rename") && first !== undefined && second !== undefined) {
      if (args.at(-1)?.includes("RENAME_EXCHANGE")) links.removed(second);
      links.moved(first, second);
    }
  }

  return { isIdle, learn, resolve, relink };
}
