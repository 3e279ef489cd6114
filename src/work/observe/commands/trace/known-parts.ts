import type { TraceGapReason } from "../../../../pure/events/index.ts";
import { CHANGING, CHANGING_REQUESTS } from "./changed-places.ts";
import { PASSING } from "./descriptors.ts";
import { CONTACTING_CALLS } from "./socket-address.ts";
import type { StraceCall } from "./strace-call.ts";
import { callName, isHarmless } from "./system-calls.ts";
import { SOCKETS } from "./trace-sockets.ts";

/** After these calls, effects may happen without a visible call, or paths may change their meaning. */
export const BLINDING: Readonly<Record<string, TraceGapReason>> = {
  io_uring_setup: "io-uring",
  io_uring_enter: "io-uring",
  io_uring_register: "io-uring",
  mount: "mounts",
  umount2: "mounts",
  move_mount: "mounts",
  mount_setattr: "mounts",
  open_tree: "mounts",
  open_tree_attr: "mounts",
  fsopen: "mounts",
  fsconfig: "mounts",
  fsmount: "mounts",
  fspick: "mounts",
  pivot_root: "mounts",
  chroot: "mounts",
  setns: "mounts",
  ptrace: "other-process",
  process_vm_writev: "other-process",
  pidfd_getfd: "other-process",
};

export const STARTING: readonly string[] = ["execve", "execveat", "clone", "clone3", "fork", "vfork"];
/** Calls with parts that are judged one by one. */
export const PARTLY: readonly string[] = ["ioctl", "unshare", "seccomp", "shmget"];
/** Every call with a meaning for the trace. */
export const UNDERSTOOD: readonly string[] = [
  ...new Set([...STARTING, "chdir", "fchdir", ...CHANGING, ...PASSING, ...CONTACTING_CALLS, ...SOCKETS, ...PARTLY]),
];
const understood = new Set(UNDERSTOOD);

/** Kinds of sockets whose every contact is a visible call: the family with its types or protocols. */
export const KNOWN_SOCKETS: Readonly<Record<string, RegExp>> = {
  AF_UNIX: /./,
  AF_INET: /^SOCK_STREAM\b.* IPPROTO_(?:IP|TCP|MPTCP)$|^SOCK_DGRAM\b.* IPPROTO_(?:IP|UDP|ICMP)$|^SOCK_RAW\b/,
  AF_INET6: /^SOCK_STREAM\b.* IPPROTO_(?:IP|TCP|MPTCP)$|^SOCK_DGRAM\b.* IPPROTO_(?:IP|UDP|ICMPV6)$|^SOCK_RAW\b/,
  AF_NETLINK: / NETLINK_(?:ROUTE|KOBJECT_UEVENT|SOCK_DIAG|AUDIT)$/,
  AF_ALG: /./,
};

/** Socket options that send nothing. Joining a group does. */
export const KNOWN_OPTIONS: Readonly<Record<string, RegExp>> = {
  SOL_SOCKET: /^SO_\w+$/,
  SOL_TCP: /^TCP_\w+$/,
  SOL_UDP: /^UDP_\w+$/,
  SOL_NETLINK: /^NETLINK_\w+$/,
  SOL_ALG: /^ALG_\w+$/,
  SOL_RAW: /^(?:ICMP_FILTER|IPV6_CHECKSUM)$/,
  SOL_ICMPV6: /^ICMP6?V?6?_FILTER$/,
  SOL_IP:
    /^IP_(?:TOS|TTL|HDRINCL|PKTINFO|RECV\w+|MTU_DISCOVER|FREEBIND|BIND_ADDRESS_NO_PORT|MULTICAST_(?:TTL|LOOP|IF|ALL)|LOCAL_PORT_RANGE|MINTTL)$/,
  SOL_IPV6:
    /^IPV6_(?:V6ONLY|RECV\w+|UNICAST_HOPS|MULTICAST_(?:HOPS|LOOP|IF|ALL)|TCLASS|MTU_DISCOVER|ADDR_PREFERENCES|AUTOFLOWLABEL|FREEBIND|DONTFRAG|MINHOPCOUNT)$/,
};

/** Requests that change no file and contact no one. Cloning needs a descriptor that was opened to write. */
export const KNOWN_REQUESTS =
  /^(?:TC[GS]ET\w*|TCSBRKP?|TCFLSH|TCXONC|TIOC(?:G\w+|OUTQ|NOTTY|SCTTY|SPGRP|SWINSZ|SPTLCK|NXCL|EXCL|PKT)|FION?CLEX|FION(?:BIO|READ)|FIOASYNC|FIOQSIZE|FIGETBSZ|SIOC(?:G\w+|INQ|OUTQ|ATMARK)|FS_IOC_(?:GETFLAGS|FSGETXATTR|GETVERSION|FIEMAP)|FICLONE(?:RANGE)?|FIDEDUPERANGE|BTRFS_IOC_CLONE(?:_RANGE)?|BLKGETSIZE(?:64)?|BLKSSZGET|NS_GET_\w+|RND\w*GET\w*)$/;

const KNOWN_COMMANDS = /^F_[A-Z_]+$/;

export interface UnknownPart {
  readonly reason: TraceGapReason;
  readonly name: string;
}

/** What the tables do not know about a call that had an effect: the call itself, a flag, a family, a request, an option. */
export function unknownParts(call: StraceCall): readonly UnknownPart[] {
  const { args, result } = call;
  const name = callName(call.name);
  if ((result !== undefined && result < 0) || isHarmless(name)) return [];
  const reason = Object.hasOwn(BLINDING, name) ? BLINDING[name] : undefined;
  if (reason !== undefined) return [{ reason, name }];
  if (!understood.has(name) || name !== call.name) return [{ reason: "unknown-call", name }];
  return [partOf(call), ...flagsOf(name, args)].filter((part) => part !== undefined);
}

function partOf({ name, args }: StraceCall): UnknownPart | undefined {
  const [first = "", second = "", third = ""] = args;
  const call = (what: string): UnknownPart => ({ reason: "unknown-call", name: `${name} ${what}` });
  switch (name) {
    case "socket":
    case "socketpair": {
      const known = Object.hasOwn(KNOWN_SOCKETS, first) ? KNOWN_SOCKETS[first] : undefined;
      if (known?.test(`${second} ${third}`)) return undefined;
      return { reason: "unknown-family", name: known === undefined ? first : `${first} ${second} ${third}` };
    }
    case "setsockopt":
      return Object.hasOwn(KNOWN_OPTIONS, second) && KNOWN_OPTIONS[second]?.test(third)
        ? undefined
        : { reason: "unknown-family", name: `${second} ${third}` };
    case "ioctl": {
      const names = second.split(" or ");
      return names.some((each) => KNOWN_REQUESTS.test(each) || CHANGING_REQUESTS.includes(each)) ? undefined : call(second);
    }
    case "fcntl":
      return KNOWN_COMMANDS.test(second) ? undefined : call(second);
    case "seccomp":
      return second === "0" || /^(?:SECCOMP_FILTER_FLAG_(?:TSYNC|LOG|SPEC_ALLOW|TSYNC_ESRCH)\|?)+$/.test(second) || /GET/.test(first)
        ? undefined
        : call(second);
    case "shmget":
      return first === "IPC_PRIVATE" ? undefined : { reason: "unknown-call", name };
    case "sendto":
    case "sendmsg":
    case "sendmmsg": {
      const [change] = /\bRTM_(?:NEW|DEL|SET)\w+/.exec(args.join(" ")) ?? [];
      return change === undefined ? undefined : call(change);
    }
    default:
      return undefined;
  }
}

/** strace shows flags that it does not know as numbers. */
const UNKNOWN_FLAG = /\b[A-Z]\w+\|0x[\da-f]+\b|0x[\da-f]+ \/\* [A-Z]\w*_\?\?\? \*\//;

/** CLONE_DETACHED: the C library musl sets it, and the system ignores it. */
const DETACHED = "|0x400000";

function flagsOf(name: string, args: readonly string[]): readonly UnknownPart[] {
  if (["ioctl", "socket", "setsockopt", "execve", "execveat", "recvmsg", "recvmmsg"].includes(name)) return [];
  const [flag] = UNKNOWN_FLAG.exec(args.filter((arg) => !arg.startsWith("{sa_family")).join(" ")) ?? [];
  if (flag === undefined || (name.startsWith("clone") && flag.endsWith(DETACHED))) return [];
  return [{ reason: "unknown-call", name: `${name} ${flag}` }];
}
