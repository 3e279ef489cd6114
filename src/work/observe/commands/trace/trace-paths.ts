import { unescaped } from "./c-string.ts";
import { type ChangedPlace, isPlainRead } from "./changed-places.ts";
import { type LinkMapOptions, linkMap } from "./link-map.ts";
import type { StraceCall } from "./strace-call.ts";
import type { TracedProcess } from "./trace-processes.ts";

const OPENED = / = (\d+)<((?:[^<>\\]|\\.)*)>$/;

/** What the paths of calls mean: where processes stand, where their descriptors and links lead. */
export function tracePaths(known: LinkMapOptions) {
  const links = linkMap(known);

  /** Most calls open a file to read it: which descriptor leads there is all there is to learn, once it is sure where the process stands. */
  function isIdle(text: string, { where, files }: TracedProcess): boolean {
    if (!where.isSure || !isPlainRead(text)) return false;
    const [, fd, path] = OPENED.exec(text) ?? [];
    if (path?.startsWith("/")) files.set(Number(fd), unescaped(path));
    return true;
  }

  /** The system shows where a process stands whenever it names a file from there, and where a descriptor leads when it gives one. */
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

  /** Undefined: nobody can tell. */
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

  /** What a call has made of links; `places` are those that it changes. */
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
