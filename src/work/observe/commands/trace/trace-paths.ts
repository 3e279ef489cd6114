import { unescaped } from "./c-string.ts";
import { type ChangedPlace, isPlainRead } from "./changed-places.ts";
import { learnDescriptors, movedPath } from "./descriptors.ts";
import { type LinkMapOptions, linkMap } from "./link-map.ts";
import { type StraceCall, straceCall } from "./strace-call.ts";
import type { BegunCall, TraceLine } from "./trace-lines.ts";
import type { TracedProcess } from "./trace-processes.ts";

const OPENED = / = (\d+)<((?:[^<>\\]|\\.)*)>$/;
const CLOSED = /^close\((\d+)/;
/** Calls that give a name a new meaning. */
const RENAMING = /^(?:rename|symlink|link|unlink|rmdir|mkdir)/;

const MOST_RECENT = 1_000;

export type Span = Pick<TraceLine, "from" | "to">;

export interface TracePathsOptions extends LinkMapOptions {
  readonly alive: ReadonlyMap<number, TracedProcess>;
  /** Unfinished calls, by process. */
  readonly begun: ReadonlyMap<number, BegunCall>;
  /** The paths that a call names. */
  readonly placesOf: (call: StraceCall) => readonly ChangedPlace[];
}

/** Resolves the paths in calls to objects: the processes' current directories, their descriptors and links, with every move applied. */
export function tracePaths({ alive, begun, placesOf, ...known }: TracePathsOptions) {
  const links = linkMap(known);
  /** Changed names, with the line on which the change ended, as long as a call runs that started before. */
  const recent: { readonly to: number; readonly paths: readonly string[] }[] = [];
  /** Changes up to this line are not in the list. */
  let forgotten = 0;

  /** Most calls open a file for reading. Once the current directory is certain, such a call only teaches us where a descriptor leads. */
  function isIdle({ text, to }: Pick<TraceLine, "text" | "to">, { where, files }: TracedProcess): boolean {
    const [, closed] = CLOSED.exec(text) ?? [];
    if (closed !== undefined) return files.delete(Number(closed)) || true;
    if (!where.isSure || !isPlainRead(text)) return false;
    const [, fd, path] = OPENED.exec(text) ?? [];
    if (fd === undefined || !path?.startsWith("/")) return false;
    files.set(Number(fd), { path: unescaped(path), closesOnExec: text.includes("O_CLOEXEC"), since: to });
    return true;
  }

  /** The system shows the current directory when it names a file relative to it, and a descriptor's path when it returns one. */
  function learn(call: StraceCall, process: TracedProcess, span: Span): void {
    const { name, args, result, annotation, strings } = call;
    const here = args.find((arg) => arg.startsWith("AT_FDCWD"));
    const shown = here === undefined ? undefined : annotation(here);
    if (shown !== undefined) Object.assign(process.where, { path: shown, isSure: true });
    learnDescriptors(call, process, span);
    if (result !== 0) return;
    const to = name === "fchdir" ? annotation(args[0]) : undefined;
    if (to !== undefined) Object.assign(process.where, { path: to, isSure: true });
    if (name !== "chdir") return;
    const [path = ""] = strings(args[0]);
    const at = resolve({ path, follows: true, isName: false }, process, span);
    process.where.isSure = false;
    if (at == null) delete process.where.path;
    else process.where.path = at;
  }

  /** Undefined if it cannot be known; null for a file that never had a name. */
  function resolve({ base, path, follows, isNameless }: ChangedPlace, process: TracedProcess, span: Span): string | undefined | null {
    if (path === undefined) return isNameless ? nameless(base, process) : base;
    let busy: ReadonlySet<string> | undefined;
    const isBusy = (name: string) => {
      busy ??= changing(process, span);
      return busy.has(name) || span.from < forgotten;
    };
    const [, fd, rest = ""] = /^\/(?:proc\/(?:self|thread-self)|dev)\/fd\/(\d+)(\/.*)?$/s.exec(path) ?? [];
    if (fd !== undefined) {
      const leads = process.files.get(Number(fd));
      if (leads === undefined || (rest === "" && !follows)) return undefined;
      if (rest !== "") return leads.path.startsWith("/") ? links.resolve(leads.path + rest, follows, isBusy) : undefined;
      return leads.nameless === undefined ? leads.path : leads.nameless === "temporary" ? null : undefined;
    }
    if (path.startsWith("/")) return links.resolve(path, follows, isBusy);
    const from = base ?? process.where.path;
    return from?.startsWith("/") ? links.resolve(`${from}/${path}`, follows, isBusy) : undefined;
  }

  /** A descriptor whose file has lost its name. If it never had one, changing it changes nothing. */
  function nameless(base: string | undefined, { files }: TracedProcess): string | undefined | null {
    const known = [...files.values()].find(({ path }) => path === base);
    return known?.nameless === "temporary" || base?.startsWith("/memfd:") ? null : base;
  }

  /** The names that other processes change while this call runs: which came first is unknown. */
  function changing(process: TracedProcess, { from }: Span): ReadonlySet<string> {
    const names = new Set(recent.filter((change) => change.to > from).flatMap(({ paths }) => paths));
    for (const [pid, { text }] of begun) {
      const other = alive.get(pid);
      const call = other !== undefined && other !== process && RENAMING.test(text) ? straceCall(`${text}) = 0`) : undefined;
      if (call !== undefined && other !== undefined) for (const path of resolved(placesOf(call), other)) names.add(path);
    }
    return names;
  }

  function resolved(places: readonly ChangedPlace[], { files, where }: TracedProcess): readonly string[] {
    return places.flatMap(({ base, path }) => {
      const [, fd, rest = ""] = /^\/(?:proc\/(?:self|thread-self)|dev)\/fd\/(\d+)(\/.*)?$/s.exec(path ?? "") ?? [];
      const start = fd === undefined ? (path?.startsWith("/") ? "" : `${base ?? where.path ?? ""}/`) : (files.get(Number(fd))?.path ?? "");
      return links.resolve(start + (fd === undefined ? (path ?? "") : rest), false) ?? [];
    });
  }

  /** Applies a call's changes of names; `places` are the paths it changes. */
  function relink(call: StraceCall, process: TracedProcess, places: readonly (string | undefined | null)[], span: Span): void {
    const { name, args, strings } = call;
    const [first, second] = places;
    if (!RENAMING.test(name)) {
      if (call.path?.startsWith("/") && !call.isNameless && first === call.path) links.made(first);
      return;
    }
    const paths = places.filter((path) => typeof path === "string");
    const clashes = changing(process, span);
    remember(span.to, paths);
    if (name.startsWith("symlink") && first) links.linked(first, strings(args[0])[0] ?? "");
    else if (name.startsWith("mkdir") && first) links.made(first);
    else if (/^(?:unlink|rmdir)/.test(name) && first) links.removed(first, name === "rmdir" || args.at(-1) === "AT_REMOVEDIR");
    else if (name.startsWith("link") && first && second) links.copied(first, second);
    else if (name.startsWith("rename") && first && second) {
      if (args.at(-1)?.includes("RENAME_EXCHANGE")) exchange(first, second);
      else move(first, second);
    }
    for (const path of paths.filter((each) => clashes.has(each))) links.unclear(path);
  }

  function remember(to: number, paths: readonly string[]): void {
    if (begun.size === 0) recent.length = 0;
    else recent.push({ to, paths });
    if (recent.length > MOST_RECENT) forgotten = recent.shift()?.to ?? to;
  }

  function move(from: string, to: string): void {
    links.moved(from, to);
    relocate((path) => movedPath(path, from, to));
  }

  function exchange(one: string, other: string): void {
    links.exchanged(one, other);
    relocate((path) => {
      const moved = movedPath(path, one, other);
      return moved === path ? movedPath(path, other, one) : moved;
    });
  }

  /** Descriptors and current directories stay with their objects when these move. */
  function relocate(moved: (path: string) => string): void {
    const processes = [...alive.values()];
    for (const where of new Set(processes.map((process) => process.where))) if (where.path !== undefined) where.path = moved(where.path);
    for (const files of new Set(processes.map((process) => process.files)))
      for (const [fd, known] of files) {
        const path = moved(known.path);
        if (path !== known.path) files.set(fd, { ...known, path });
      }
  }

  return { isIdle, learn, resolve, relink };
}
