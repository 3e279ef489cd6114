import type { TracedEffect, TraceGap, TraceGapReason } from "../../../core/observation.ts";
import { unescaped } from "./c-string.ts";
import { type ChangedPlace, changedPlaces, isPlainRead } from "./changed-places.ts";
import { linkMap } from "./link-map.ts";
import type { StraceCall } from "./strace-call.ts";
import { traceEffects } from "./trace-effects.ts";
import type { TracedProcess } from "./trace-processes.ts";
import { addressees, boundPath, listeners } from "./trace-sockets.ts";

export interface EffectsOptions {
  /** The workspace, as the system names it: where the agent starts, and what is compared elsewhere. */
  readonly cwd: string;
  /** What is no file of anybody's, or our own. */
  readonly isNobodys: (path: string) => boolean;
  /** Where a link leads that nobody in the trace has touched; undefined: it is none. */
  readonly linkAt: (path: string) => string | undefined;
  /** Whether a program that the agent itself has started is the agent still. */
  readonly isAgent: (program: string, argv: readonly string[]) => boolean;
}

interface Moment {
  readonly pid: number;
  readonly at: number;
  readonly process: TracedProcess;
}

/** After these, something may be done that no call shows, or paths mean something else. */
const BLINDING: Readonly<Record<string, TraceGapReason>> = {
  io_uring_setup: "io-uring",
  mount: "mounts",
  umount2: "mounts",
  move_mount: "mounts",
  pivot_root: "mounts",
  chroot: "mounts",
  setns: "mounts",
  ptrace: "other-process",
  process_vm_writev: "other-process",
  pidfd_getfd: "other-process",
};
export const WATCHED: readonly string[] = [...Object.keys(BLINDING), "chdir", "fchdir", "unshare"];

const OPENED = / = (\d+)<((?:[^<>\\]|\\.)*)>$/;

/** What calls do beside the workspace, and whom they speak to. */
export function effectReader({ cwd, isNobodys, linkAt }: EffectsOptions) {
  const found = traceEffects();
  const links = linkMap(linkAt);
  const own = listeners();

  /** Most calls open a file to read it: which descriptor leads there is all there is to learn, once it is sure where the process stands. */
  function isIdle(text: string, { where, files }: TracedProcess): boolean {
    if (!where.isSure || !isPlainRead(text)) return false;
    const [, fd, path] = OPENED.exec(text) ?? [];
    if (path?.startsWith("/")) files.set(Number(fd), unescaped(path));
    return true;
  }

  function see(call: StraceCall, moment: Moment): void {
    const { name, args, result, path: leads } = call;
    stand(call, moment.process);
    if (leads?.startsWith("/") && result !== undefined) moment.process.files.set(result, leads);
    for (const addressee of addressees(call)) {
      const base = { call: name, at: Math.round(moment.at), pid: moment.pid };
      if (addressee.kind === "unix") spoken(addressee, base, moment);
      else if (addressee.kind === "other")
        found.add({ kind: "connection", target: addressee.family, peer: "other", ...base }, moment.process);
      else if (!addressee.isLoopback || !own.ports.has(addressee.port)) {
        const host = addressee.address.includes(":") ? `[${addressee.address}]` : addressee.address;
        const peer = addressee.isLoopback ? "loopback" : "other";
        found.add({ kind: "connection", target: `${host}:${addressee.port}`, peer, ...base }, moment.process);
      }
    }
    if (result === undefined || result < 0) return;
    if (/^(?:bind|listen|getsockname)$/.test(name)) own.see(call);
    const reason = BLINDING[name];
    if (reason !== undefined) found.miss(reason, name);
    if (reason === "mounts" || (name === "unshare" && args[0]?.includes("CLONE_NEWNS"))) moment.process.where.isElsewhere = true;
    if (/^clone/.test(name) && args.some((arg) => arg.includes("CLONE_UNTRACED"))) found.miss("untraced-process", name);
    const socket = boundPath(call);
    if (socket?.kind === "unix") listened(socket, moment);
    const places = changedPlaces(call).map((place) => ({ place, path: resolved(place, moment.process) }));
    for (const { place, path } of places) changed(path, name, moment, place.path ?? place.base);
    relinked(call, places);
  }

  /** The system shows where a process stands whenever it names a file from there. */
  function stand({ name, args, result, annotation, strings }: StraceCall, process: TracedProcess): void {
    const here = args.find((arg) => arg.startsWith("AT_FDCWD"));
    const shown = here === undefined ? undefined : annotation(here);
    if (shown !== undefined) Object.assign(process.where, { path: shown, isSure: true });
    if (result !== 0) return;
    const to = name === "fchdir" ? annotation(args[0]) : undefined;
    if (to !== undefined) Object.assign(process.where, { path: to, isSure: true });
    if (name !== "chdir") return;
    const [path = ""] = strings(args[0]);
    const at = resolved({ path, follows: true }, process);
    process.where.isSure = false;
    if (at === undefined) delete process.where.path;
    else process.where.path = at;
  }

  function resolved({ base, path, follows }: ChangedPlace, process: TracedProcess): string | undefined {
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

  function changed(path: string | undefined, call: string, { pid, at, process }: Moment, shown: string | undefined): void {
    if (process.where.isElsewhere) return found.miss("mounts", `${call} ${shown ?? ""}`.trim());
    if (path === undefined) return found.miss("unresolved-path", `${call} ${shown ?? ""}`.trim());
    if (!path.startsWith("/") || isInside(path) || isNobodys(path)) return; // a pipe, a socket, memory
    found.add({ kind: "write", target: path, call, at: Math.round(at), pid }, process);
  }

  function isInside(path: string): boolean {
    return path === cwd || path.startsWith(`${cwd}/`);
  }

  function relinked({ name, args, strings }: StraceCall, places: readonly { readonly path: string | undefined }[]): void {
    const [first, second] = places.map(({ path }) => path);
    if (/^symlink/.test(name) && first !== undefined) links.made(first, strings(args[0])[0] ?? "");
    else if (/^(?:unlink|rmdir)/.test(name) && first !== undefined) links.removed(first);
    else if (/^rename/.test(name) && first !== undefined && second !== undefined) links.moved(first, second);
  }

  type Unix = { readonly path: string; readonly isAbstract: boolean };
  const nameOf = ({ path, isAbstract }: Unix, process: TracedProcess) =>
    isAbstract ? `@${path}` : resolved({ path, follows: true }, process);

  function listened(socket: Unix, moment: Moment): void {
    const name = nameOf(socket, moment.process);
    if (name !== undefined) own.paths.add(name);
    if (!socket.isAbstract) changed(name, "bind", moment, socket.path);
  }

  function spoken(socket: Unix, base: Pick<TracedEffect, "call" | "at" | "pid">, { process }: Moment): void {
    const target = nameOf(socket, process) ?? socket.path;
    if (!own.paths.has(target) && !isInside(target) && !isNobodys(target)) found.add({ kind: "socket", target, ...base }, process);
  }

  function unread(text: string): void {
    if (/^\[ Process PID=\d+ runs in /.test(text)) found.miss("other-abi", text);
    else if (!/^(?:---|\[|exit)/.test(text)) found.miss("unread-line", text);
  }

  return {
    isIdle,
    see,
    unread,
    /** `left` are there still, though the trace is over. */
    found(left: number): { readonly effects: readonly TracedEffect[]; readonly gaps: readonly TraceGap[] } {
      if (left > 0) found.miss("outlived", `${left} processes`);
      return { effects: found.effects(), gaps: found.gaps() };
    },
  };
}
