import type { TracedEffect, TraceGap } from "../../../../pure/events/index.ts";
import { asked, changedPlaces, isOpening } from "./changed-places.ts";
import { unknownParts } from "./known-parts.ts";
import { type Address, addressesIn, contactedAddresses, isLoopback, plainAddress, reached } from "./socket-address.ts";
import type { StraceCall } from "./strace-call.ts";
import { traceEffects } from "./trace-effects.ts";
import type { BegunCall } from "./trace-lines.ts";
import { type Span, tracePaths } from "./trace-paths.ts";
import type { TracedProcess } from "./trace-processes.ts";
import { traceSockets } from "./trace-sockets.ts";

export interface EffectsOptions {
  /** The real path of the workspace, where the agent starts. Changes inside it are compared elsewhere. */
  readonly cwd: string;
  /** Whether a path is not a real file, or is our own. */
  readonly isIgnored: (path: string) => boolean;
  /** The links in the workspace before the start, by full path. */
  readonly links: Iterable<readonly [path: string, target: string]>;
  /** The target of a link outside the workspace, on the disk; undefined if it is not a link; null if nothing is there. */
  readonly linkAt: (path: string) => string | undefined | null;
  /** Whether a program started by the agent is still the agent itself. */
  readonly isAgent: (program: string, argv: readonly string[]) => boolean;
  /** Whether an address is this machine's own. */
  readonly isLocal: (address: string) => boolean;
  /** The place for the memory of a process that crashed, as in `/proc/sys/kernel/core_pattern`. */
  readonly corePattern: string;
}

export interface Processes {
  readonly alive: ReadonlyMap<number, TracedProcess>;
  readonly begun: ReadonlyMap<number, BegunCall>;
  readonly newNetwork: () => number;
}

interface Moment extends Span {
  readonly pid: number;
  readonly at: number;
  readonly process: TracedProcess;
}

/** Finds effects outside the workspace, and the addresses that calls connect to. */
export function effectReader({ cwd, isIgnored, links, linkAt, isLocal, corePattern }: EffectsOptions, processes: Processes) {
  const found = traceEffects();
  const { alive, begun } = processes;
  const onDoubt = (path: string) => found.miss("unresolved-path", path);
  const paths = tracePaths({ links, root: cwd, linkAt, onDoubt, alive, begun, placesOf: changedPlaces });
  const sockets = traceSockets((socket) =>
    [...alive.values()].some(({ files }) => [...files.values()].some(({ path }) => path === socket)),
  );

  function see(call: StraceCall, moment: Moment): void {
    const { name, args, result } = call;
    const { process } = moment;
    paths.learn(call, process, moment);
    contacted(call, moment);
    const unknown = setsUpOwnNetwork(call) ? [] : unknownParts(call);
    for (const { reason, name: what } of unknown) found.miss(reason, what);
    if (result === undefined) return unfinished(call, moment);
    if (result < 0) return;
    sockets.see(call, process.network);
    const isMoved = unknown.some(({ reason }) => reason === "mounts") || (name === "unshare" && args[0]?.includes("CLONE_NEWNS"));
    if (isMoved) process.where.isElsewhere = true;
    if (name === "setns") process.network = -processes.newNetwork(); // someone else's
    if (name === "unshare" && args[0]?.includes("CLONE_NEWNET")) process.network = processes.newNetwork();
    if (name.startsWith("clone") && args.some((arg) => arg.includes("CLONE_UNTRACED"))) found.miss("untraced-process", name);
    if (name === "bind") bound(call, moment);
    const places = changedPlaces(call).map((place) => ({ place, path: paths.resolve(place, process, moment) }));
    for (const { place, path } of places)
      changed(path, name, moment, place.path ?? place.base, { isName: place.isName, wanted: opened(call, moment) });
    paths.relink(
      call,
      process,
      places.map(({ path }) => path),
      moment,
    );
  }

  /** A sandbox sets up the network that it has just made: nothing leaves it. */
  function setsUpOwnNetwork({ name, args, annotation }: StraceCall): boolean {
    const socket = name.startsWith("send") ? sockets.of(annotation(args[0])) : undefined;
    return socket?.family === "AF_NETLINK" && socket.network > 0;
  }

  /** The process was ended during the call, so we cannot know whether the call took effect. */
  function unfinished(call: StraceCall, moment: Moment): void {
    for (const place of changedPlaces(call)) {
      const path = paths.resolve(place, moment.process, moment);
      if (path === undefined || (path !== null && isOutside(path, place.isName)))
        found.miss("unresolved-path", `${call.name} ${place.path ?? place.base ?? ""}`.trim());
    }
  }

  /** The target of an open call according to its path. Another thread may have replaced the descriptor before the system showed it. */
  function opened(call: StraceCall, moment: Moment): string | undefined | null {
    const [place] = isOpening(call) ? asked(call) : [];
    return place?.path === undefined ? undefined : paths.resolve(place, moment.process, moment);
  }

  interface Named {
    readonly isName: boolean;
    readonly wanted?: string | undefined | null;
  }

  function changed(path: string | undefined | null, call: string, moment: Moment, shown: string | undefined, named: Named): void {
    const { pid, at, process } = moment;
    const what = `${call} ${shown ?? ""}`.trim();
    if (path === null) return;
    if (process.where.isElsewhere) return found.miss("mounts", what);
    if (path === undefined) return found.miss("unresolved-path", what);
    if (isOutside(path, named.isName)) return found.add({ kind: "write", target: path, call, at: Math.round(at), pid }, process);
    if (named.wanted && isInside(path) && isOutside(named.wanted, false)) found.miss("unresolved-path", what);
  }

  /** Excludes pipes, sockets and memory. The name of the workspace itself is outside. */
  function isOutside(path: string, isName: boolean): boolean {
    return path.startsWith("/") && (!isInside(path) || (isName && path === cwd)) && !isIgnored(path);
  }

  function isInside(path: string): boolean {
    return path === cwd || path.startsWith(`${cwd}/`);
  }

  function contacted(call: StraceCall, moment: Moment): void {
    const from = call.annotation(call.args[0]);
    const socket = sockets.of(from);
    const addresses = contactedAddresses(call, socket?.family);
    if (addresses.length === 0) return;
    const isReached = reached(call);
    if (isReached === "no") return;
    for (const address of addresses) {
      if (address.kind === "unix") {
        if (call.error === undefined) spoken(address, from, call, moment);
        continue;
      }
      const contact = contactOf(address, moment.process);
      if (contact.peer === "loopback" && (call.error === "ECONNREFUSED" || isReached === "unknown" || sockets.isOwn(address, from)))
        continue;
      if (isReached === "unknown") found.miss("unsure-connection", `${contact.target}: ${call.error}`);
      else if (isRouteLookup(call, address, socket?.type)) {
        if (contact.peer === "other") found.miss("unsure-connection", `${contact.target}: ${call.name} without a port`);
      } else add({ kind: "connection", ...contact }, call, moment);
    }
  }

  /** Looking up a route needs no port. Someone who sends to port 0 on this machine reaches no one. */
  function isRouteLookup({ name }: StraceCall, address: Address, type: string | undefined): boolean {
    return name === "connect" && address.kind === "inet" && address.port === 0 && type === "SOCK_DGRAM";
  }

  function contactOf(
    address: Exclude<Address, { kind: "unix" }>,
    { network }: TracedProcess,
  ): Required<Pick<TracedEffect, "target" | "peer">> {
    if (address.kind === "other") return { target: address.family, peer: "other" };
    const host = address.address.includes(":") ? `[${address.address}]` : address.address;
    const isHere = isLoopback(address.address) || (network === 0 && isLocal(plainAddress(address.address)));
    return { target: `${host}:${address.port}`, peer: isHere ? "loopback" : "other" };
  }

  function add(what: Pick<TracedEffect, "kind" | "target" | "peer">, { name }: StraceCall, { pid, at, process }: Moment): void {
    if (process.isReplaced) found.miss("replaced-agent", process.command?.argv.join(" "));
    found.add({ ...what, call: name, at: Math.round(at), pid }, process);
  }

  type Unix = Extract<Address, { kind: "unix" }>;

  /** The name that the system knows a socket by. */
  function realName(socket: Unix, moment: Moment): Unix | undefined {
    if (socket.isAbstract) return socket;
    const path = paths.resolve({ path: socket.path, follows: true, isName: false }, moment.process, moment);
    return path == null || moment.process.where.isElsewhere ? undefined : { ...socket, path };
  }

  function bound(call: StraceCall, moment: Moment): void {
    const [name] = addressesIn(call, call.args[1] ?? "", undefined);
    if (name?.kind !== "unix") return;
    const real = realName(name, moment);
    if (real !== undefined) sockets.named(call.annotation(call.args[0]), real);
    if (!name.isAbstract) changed(real?.path, "bind", moment, name.path, { isName: true });
  }

  function spoken(socket: Unix, from: string | undefined, call: StraceCall, moment: Moment): void {
    const real = realName(socket, moment);
    const target = real?.isAbstract ? `@${real.path}` : (real?.path ?? socket.path);
    if (real === undefined || !(sockets.isOwn(real, from) || (!real.isAbstract && isInside(target)) || isIgnored(target)))
      add({ kind: "socket", target }, call, moment);
  }

  function unread(text: string): void {
    if (/^\[ Process PID=\d+ runs in /.test(text)) found.miss("other-abi", text);
    else if (!/^(?:---|\[|exit)/.test(text)) found.miss("unread-line", text);
  }

  /** The kernel wrote the memory of a process that crashed: to its current directory, if the pattern is only a name. */
  function dumped({ where, command }: TracedProcess): void {
    const isHere = !/[/|]/.test(corePattern) && corePattern !== "" && !where.isElsewhere;
    if (!isHere || where.path === undefined || !isInside(where.path)) found.miss("kernel-write", `core dump of ${command?.program ?? "?"}`);
  }

  return {
    isIdle: paths.isIdle,
    see,
    unread,
    dumped,
    /** `left`: processes that were still alive when the trace ended. */
    found(left: number): { readonly effects: readonly TracedEffect[]; readonly gaps: readonly TraceGap[] } {
      if (left > 0) found.miss("outlived", `${left} processes`);
      return { effects: found.effects(), gaps: found.gaps() };
    },
  };
}
