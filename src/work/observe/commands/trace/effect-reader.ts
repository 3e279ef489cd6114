import type { TracedEffect, TraceGap, TraceGapReason } from "../../../../pure/events/index.ts";
import { changedPlaces } from "./changed-places.ts";
import type { StraceCall } from "./strace-call.ts";
import { traceEffects } from "./trace-effects.ts";
import { tracePaths } from "./trace-paths.ts";
import type { TracedProcess } from "./trace-processes.ts";
import { addressees, boundPath, listeners } from "./trace-sockets.ts";

export interface EffectsOptions {
  /** The real path of the workspace, where the agent starts. Changes inside it are compared elsewhere. */
  readonly cwd: string;
  /** Whether a path is not a real file, or is our own. */
  readonly isIgnored: (path: string) => boolean;
  /** The links in the workspace before the start, by full path. */
  readonly links: Iterable<readonly [path: string, target: string]>;
  /** The target of a link outside the workspace that the trace has not touched; undefined if it is not a link. */
  readonly linkAt: (path: string) => string | undefined;
  /** Whether a program started by the agent is still the agent itself. */
  readonly isAgent: (program: string, argv: readonly string[]) => boolean;
}

interface Moment {
  readonly pid: number;
  readonly at: number;
  readonly process: TracedProcess;
}

/** After these calls, effects may happen without a visible call, or paths may change their meaning. */
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

/** Finds effects outside the workspace, and the addresses that calls connect to. */
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

  /** The process was ended during the call, so we cannot know whether the call took effect. */
  function unfinished(call: StraceCall, { process }: Moment): void {
    for (const place of changedPlaces(call)) {
      const path = paths.resolve(place, process);
      if (path === undefined || isOutside(path)) found.miss("unresolved-path", `${call.name} ${place.path ?? place.base ?? ""}`.trim());
    }
  }

  function changed(path: string | undefined, call: string, { pid, at, process }: Moment, shown: string | undefined): void {
    if (process.where.isElsewhere) return found.miss("mounts", `${call} ${shown ?? ""}`.trim());
    if (path === undefined) return found.miss("unresolved-path", `${call} ${shown ?? ""}`.trim());
    if (isOutside(path)) found.add({ kind: "write", target: path, call, at: Math.round(at), pid }, process);
  }

  /** Excludes pipes, sockets and memory. */
  function isOutside(path: string): boolean {
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
    /** `left`: processes that were still alive when the trace ended. */
    found(left: number): { readonly effects: readonly TracedEffect[]; readonly gaps: readonly TraceGap[] } {
      if (left > 0) found.miss("outlived", `${left} processes`);
      return { effects: found.effects(), gaps: found.gaps() };
    },
  };
}
