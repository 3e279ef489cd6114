import type { StraceCall } from "./strace-call.ts";

/** The address that a call sends to. */
export type Addressee =
  | { readonly kind: "unix"; readonly path: string; readonly isAbstract: boolean }
  | { readonly kind: "inet"; readonly address: string; readonly port: number; readonly isLoopback: boolean }
  | { readonly kind: "other"; readonly family: string };

/** Which argument of a call contains addresses. */
const SPEAKING: Readonly<Record<string, number>> = { connect: 1, sendto: 4, sendmsg: 1, sendmmsg: 1 };
export const SOCKETS: readonly string[] = [...Object.keys(SPEAKING), "bind", "listen", "getsockname"];

/** Kernel sockets, and the family that removes an address. */
const SILENT = new Set(["AF_NETLINK", "AF_UNSPEC", "AF_ALG"]);

/** The addresses of a call that succeeded or is still running. */
export function addressees(call: StraceCall): readonly Addressee[] {
  const index = SPEAKING[call.name];
  if (index === undefined || !(isDone(call) || isUnderWay(call))) return [];
  return addressesIn(call, call.args[index] ?? "");
}

/** Without a result, the process was ended while it waited. */
function isUnderWay({ result, error = "" }: StraceCall): boolean {
  return result === undefined || ["EINPROGRESS", "EINTR"].includes(error);
}

function isDone({ result }: StraceCall): boolean {
  return result !== undefined && result >= 0;
}

function addressesIn(call: StraceCall, text: string): readonly Addressee[] {
  return [...text.matchAll(/\{sa_family=(\w+)([^}]*)\}/g)].flatMap(([, family = "", rest = ""]): Addressee[] => {
    if (family === "AF_UNIX") {
      const path = call.strings(rest)[0];
      return path === undefined ? [] : [{ kind: "unix", path, isAbstract: /sun_path=@/.test(rest) }];
    }
    if (family !== "AF_INET" && family !== "AF_INET6") return SILENT.has(family) ? [] : [{ kind: "other", family }];
    const port = Number(/port=htons\((\d+)\)/.exec(rest)?.[1] ?? 0);
    const address = call.strings(rest)[0] ?? "?";
    if (port === 0 && call.name === "connect") return []; // only a route lookup
    return [{ kind: "inet", address, port, isLoopback: isLoopback(address) }];
  });
}

/** The unspecified address reaches this machine itself. */
function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  return /^127\.|^0\.0\.0\.0$|^::1?$/.test(plain);
}

const MOST_BOUND = 10_000;

/** The sockets on which traced processes listen: a connection to these stays inside the run. */
export function listeners() {
  const bound = new Map<string, number>();
  const listening = new Set<string>();
  const ports = new Set<number>();
  const paths = new Set<string>();

  function see(call: StraceCall): void {
    if (!isDone(call)) return;
    const socket = call.annotation(call.args[0]);
    if (socket === undefined) return;
    if (bound.size > MOST_BOUND) bound.clear(); // at worst a server of the run counts as external
    if (listening.size > MOST_BOUND) listening.clear();
    const port = Number(/port=htons\((\d+)\)/.exec(call.args[1] ?? "")?.[1] ?? 0);
    if (call.name === "listen") listening.add(socket);
    else if (call.name === "bind" || bound.has(socket)) bound.set(socket, port);
    const known = bound.get(socket) ?? 0;
    if (known > 0 && listening.has(socket)) ports.add(known);
  }

  return { see, ports: ports as ReadonlySet<number>, paths };
}

export function boundPath(call: StraceCall): Addressee | undefined {
  return call.name === "bind" && isDone(call) ? addressesIn(call, call.args[1] ?? "").find(({ kind }) => kind === "unix") : undefined;
}
