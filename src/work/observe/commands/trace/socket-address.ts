import type { StraceCall } from "./strace-call.ts";

/** An address in a call. */
export type Address =
  | { readonly kind: "unix"; readonly path: string; readonly isAbstract: boolean }
  | { readonly kind: "inet"; readonly address: string; readonly port: number }
  | { readonly kind: "other"; readonly family: string };

/** Which argument of a call contains the addresses that it contacts. */
const CONTACTING: Readonly<Record<string, number>> = { connect: 1, sendto: 4, sendmsg: 1, sendmmsg: 1 };
export const CONTACTING_CALLS: readonly string[] = Object.keys(CONTACTING);

/** Kernel sockets. */
const SILENT = new Set(["AF_NETLINK", "AF_ALG"]);

/** The addresses that a call contacts, or tries to. `family`: of its socket, if known. */
export function contactedAddresses(call: StraceCall, family: string | undefined): readonly Address[] {
  const index = Object.hasOwn(CONTACTING, call.name) ? CONTACTING[call.name] : undefined;
  return index === undefined ? [] : addressesIn(call, call.args[index] ?? "", family);
}

export function addressesIn(call: StraceCall, text: string, family: string | undefined): readonly Address[] {
  return [...text.matchAll(/\{sa_family=(\w+)([^}]*)\}/g)].flatMap(([, shown = "", rest = ""]): readonly Address[] => {
    if (shown === "AF_UNIX") {
      const path = call.strings(rest)[0];
      return path === undefined ? [] : [{ kind: "unix", path, isAbstract: /sun_path=@/.test(rest) }];
    }
    if (shown === "AF_UNSPEC") return unspecified(call, rest, family);
    if (shown !== "AF_INET" && shown !== "AF_INET6") return SILENT.has(shown) ? [] : [{ kind: "other", family: shown }];
    return [{ kind: "inet", address: call.strings(rest)[0] ?? "?", port: Number(/port=htons\((\d+)\)/.exec(rest)?.[1] ?? 0) }];
  });
}

/** `connect` removes an address with this family. For a message, the system takes it for an IPv4 address, unless the socket is an IPv6 one. */
function unspecified(call: StraceCall, rest: string, family: string | undefined): readonly Address[] {
  if (call.name === "connect" || (family !== undefined && family !== "AF_INET")) return [];
  const data = call.bytes(rest);
  if (data.length < 6) return [{ kind: "other", family: "AF_UNSPEC" }];
  return [{ kind: "inet", address: data.subarray(2, 6).join("."), port: data.readUInt16BE(0) }];
}

/** Without the prefix of an IPv4 address in an IPv6 one. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** The unspecified address reaches this machine itself. */
export function isLoopback(address: string): boolean {
  return /^127\.|^0\.0\.0\.0$|^::1?$/.test(plainAddress(address));
}

/** Whether a call reached its address. */
export function reached({ result, error = "" }: StraceCall): "yes" | "no" | "unknown" {
  if (result === undefined || result >= 0 || SENT.has(error)) return "yes"; // without a result, the process was ended while it waited
  return UNSENT.has(error) ? "no" : "unknown";
}

/** A packet was sent: an answer came, or the call continues. */
const SENT = new Set("EINPROGRESS EALREADY EINTR ECONNREFUSED ECONNRESET ECONNABORTED ETIMEDOUT EPROTO EHOSTDOWN".split(" "));
/** The call was wrong, or not allowed. */
const UNSENT = new Set(
  `EBADF EFAULT EINVAL EAFNOSUPPORT ENOTSOCK EPROTOTYPE EPROTONOSUPPORT ESOCKTNOSUPPORT EADDRNOTAVAIL EADDRINUSE EPERM EACCES EISCONN
  EOPNOTSUPP EDESTADDRREQ EMSGSIZE ENOENT ENOTDIR ELOOP ENAMETOOLONG EAGAIN ENOBUFS ENOMEM ENOTCONN EPIPE ENOSYS ENODEV ENXIO`.split(/\s+/),
);
