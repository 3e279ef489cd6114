import { type Address, addressesIn, plainAddress } from "./socket-address.ts";
import type { StraceCall } from "./strace-call.ts";

/** A socket, by its number in the system: the same for every descriptor of it. */
interface Socket {
  readonly family: string;
  readonly type: string;
  /** The network namespace that it was made in. */
  readonly network: number;
  name?: Address;
  isListening?: true;
  /** Others may use the same address. */
  isShared?: true;
  isOnlyIpv6?: true;
}

export const SOCKETS: readonly string[] = [
  "socket",
  "socketpair",
  "accept",
  "accept4",
  "bind",
  "listen",
  "getsockname",
  "setsockopt",
  "shutdown",
];

const MOST_SOCKETS = 10_000;

/** The sockets of the traced processes. A connection to one of these stays inside the run. `isHeld`: whether a process still has it open. */
export function traceSockets(isHeld: (socket: string) => boolean) {
  const sockets = new Map<string, Socket>();

  function see(call: StraceCall, network: number): void {
    const { name, args, result, path, annotation } = call;
    if (result === undefined || result < 0) return;
    if (sockets.size > MOST_SOCKETS) sockets.clear(); // at worst a server of the run counts as external
    if (name === "socket" && path !== undefined)
      sockets.set(path, { family: args[0] ?? "", type: (args[1] ?? "").replace(/\|.*/s, ""), network });
    const key = annotation(args[0]);
    const socket = key === undefined ? undefined : sockets.get(key);
    if (key === undefined || socket === undefined) return;
    const [address] = /^(?:bind|getsockname)$/.test(name) ? addressesIn(call, args[1] ?? "", socket.family) : [];
    if (address !== undefined && address.kind !== "unix" && (name === "bind" || socket.name?.kind === "inet" || socket.isListening))
      socket.name = address;
    if (name === "listen") socket.isListening = true;
    if (name === "shutdown") sockets.delete(key);
    if (name === "setsockopt") setOption(socket, args[2] ?? "", args[3] ?? "");
  }

  function setOption(socket: Socket, option: string, value: string): void {
    if (value === "[0]") return; // at worst a server of the run counts as external
    if (option === "SO_REUSEPORT" || option === "SO_BINDTODEVICE") socket.isShared = true;
    if (option === "SO_REUSEADDR" && socket.type !== "SOCK_STREAM") socket.isShared = true;
    if (option === "IPV6_V6ONLY") socket.isOnlyIpv6 = true;
  }

  /** Whether what this socket contacts is a socket of the run. */
  function isOwn(address: Address, from: string | undefined): boolean {
    const asking = from === undefined ? undefined : sockets.get(from);
    if (asking === undefined) return false;
    return [...sockets].some(
      ([key, each]) => each.network === asking.network && each.type === asking.type && isServing(each, address) && isHeld(key),
    );
  }

  /** A socket's name, without links. */
  function named(key: string | undefined, name: Address): void {
    const socket = key === undefined ? undefined : sockets.get(key);
    if (socket !== undefined) socket.name = name;
  }

  return {
    see,
    named,
    isOwn,
    of: (key: string | undefined): Readonly<Socket> | undefined => (key === undefined ? undefined : sockets.get(key)),
  };
}

function isServing({ name, type, isListening, isShared, isOnlyIpv6 }: Socket, address: Address): boolean {
  if (name === undefined || isShared || name.kind !== address.kind || (type === "SOCK_STREAM" && !isListening)) return false;
  if (name.kind === "unix" && address.kind === "unix") return name.path === address.path && name.isAbstract === address.isAbstract;
  if (name.kind !== "inet" || address.kind !== "inet" || name.port !== address.port || name.port === 0) return false;
  const [bound, wanted] = [plainAddress(name.address), plainAddress(address.address)];
  if (bound === wanted) return true;
  if (bound === "::") return isOnlyIpv6 ? wanted.includes(":") : true;
  return wanted.includes(":") ? bound === "::1" && wanted === "::" : bound === "0.0.0.0" || (bound === "127.0.0.1" && wanted === "0.0.0.0");
}
