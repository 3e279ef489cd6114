import type { TracedEffect, TraceGap, TraceGapReason } from "../../../../pure/events/index.ts";
import { changedPlaces } from "./changed-places.ts";
import type { StraceCall } from "./strace-call.ts";
import { traceEffects } from "./trace-effects.ts";
import { tracePaths } from "./trace-paths.ts";
import type { TracedProcess } from "./trace-processes.ts";
import { addressees, boundPath, listeners } from "./trace-sockets.ts";

export interface EffectsOptions {
  /** The workspace, as the system names it: where the agent starts, and what is compared elsewhere. */
  readonly cwd: string;
  /** What is no file of anybody's, or our own. */
  readonly isIgnored: (path: string) => boolean;
  /** The links in it before the start, by their whole paths. */
  readonly links: Iterable<readonly [path: string, target: string]>;
  /** Where a link beside it leads that nobody in the trace has touched; undefined: it is none. */
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

/** What calls do beside the workspace, and whom they speak to. */
export function effectReader({ cwd, isIgnored, links, linkAt }: EffectsOptions) {
  const found = traceEffects();
  const paths = tracePaths({ links, root: cwd, linkAt });
  const own = listeners();

  function see(call: StraceCall, moment: Moment): void {
    const { name, args, result } = call;
    paths.learn(call, moment.process);
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
    if (result === undefined) return unfinished(call, moment);
    if (result < 0) return;
    if (/^(?:bind|listen|getsockname)$/.test(name)) own.see(call);
    const reason = BLINDING[name];
    if (reason !== undefined) found.miss(reason, name);
    if (reason === "mounts" || (name === "unshare" && args[0]?.includes("CLONE_NEWNS"))) moment.process.where.isElsewhere = true;
    if (name.startsWith("clone") && args.some((arg) => arg.includes("CLONE_UNTRACED"))) found.miss("untraced-process", name);
    const socket = boundPath(call);
    if (socket?.kind === "unix") listened(socket, moment);
    const places = changedPlaces(call).map((place) => ({ place, path: paths.resolve(place, moment.process) }));
    for (const { place, path } of places) changed(path, name, moment, place.path ?? place.base);
    paths.relink(
      call,
      places.map(({ path }) => path),
    );
  }

  /** The process was ended in the call: whether it was done, nobody can tell. */
  function unfinished(call: StraceCall, { process }: Moment): void {
    for (const place of changedPlaces(call)) {
      const path = paths.resolve(place, process);
      if (path === undefined || isBeside(path)) found.miss("unresolved-path", `${call.name} ${place.path ?? place.base ?? ""}`.trim());
    }
  }

  function changed(path: string | undefined, call: string, { pid, at, process }: Moment, shown: string | undefined): void {
    if (process.where.isElsewhere) return found.miss("mounts", `${call} ${shown ?? ""}`.trim());
    if (path === undefined) return found.miss("unresolved-path", `${call} ${shown ?? ""}`.trim());
    if (isBeside(path)) found.add({ kind: "write", target: path, call, at: Math.round(at), pid }, process);
  }

  /** Not a pipe, a socket, memory either. */
  function isBeside(path: string): boolean {
    return path.startsWith("/") && !isInside(path) && !isIgnored(path);
  }

  function isInside(path: string): boolean {
    return path === cwd || path.startsWith(`${cwd}/`);
  }

  type Unix = { readonly path: string; readonly isAbstract: boolean };
  const nameOf = ({ path, isAbstract }: Unix, process: TracedProcess) =>
    isAbstract ? `@${path}` : paths.resolve({ path, follows: true }, process);

  function listened(socket: Unix, moment: Moment): void {
    const name = nameOf(socket, moment.process);
    if (name !== undefined) own.paths.add(name);
    if (!socket.isAbstract) changed(name, "bind", moment, socket.path);
  }

  function spoken(socket: Unix, base: Pick<TracedEffect, "call" | "at" | "pid">, { process }: Moment): void {
    const target = nameOf(socket, process) ?? socket.path;
    if (!own.paths.has(target) && !isInside(target) && !isIgnored(target)) found.add({ kind: "socket", target, ...base }, process);
  }

  function unread(text: string): void {
    if (/^\[ Process PID=\d+ runs in /.test(text)) found.miss("other-abi", text);
    else if (!/^(?:---|\[|exit)/.test(text)) found.miss("unread-line", text);
  }

  return {
    isIdle: paths.isIdle,
    see,
    unread,
    /** `left` are there still, though the trace is over. */
    found(left: number): { readonly effects: readonly TracedEffect[]; readonly gaps: readonly TraceGap[] } {
      if (left > 0) found.miss("outlived", `${left} processes`);
      return { effects: found.effects(), gaps: found.gaps() };
    },
  };
}
