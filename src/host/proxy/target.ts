import { BlockList, isIPv4, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";

/** What a client wants to connect to. */
export interface Target {
  /** A name in lower case without a dot at its end, or an address in its usual spelling, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly isAddress: boolean;
}

const AUTHORITY = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+)(?::(\d{1,5}))?$/;
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/**
 * Reads `host:port`. Undefined for everything that two programs could read differently: a user before the host, an address that is not
 * four decimal numbers (`127.1`, `0x7f.1`, `2130706433`), a name that is not ASCII.
 */
export function targetOf(authority: string, defaultPort?: number): Target | undefined {
  const [, written = "", digits] = AUTHORITY.exec(authority) ?? [];
  const port = digits === undefined ? defaultPort : Number(digits);
  if (written === "" || port === undefined || port < 1 || port > 65_535) return undefined;
  if (written.startsWith("[")) {
    const address = written.slice(1, -1);
    return isIPv6(address) ? { host: plainAddress(address), port, isAddress: true } : undefined;
  }
  if (isIPv4(written)) return { host: written, port, isAddress: true };
  const host = written.toLowerCase().replace(/\.$/, "");
  const labels = host.split(".");
  if (host.length > 253 || !labels.every((label) => LABEL.test(label))) return undefined;
  return /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "") ? undefined : { host, port, isAddress: false };
}

/** `host:port`, as it is written. */
export function shownTarget({ host, port }: Pick<Target, "host" | "port">): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** An IPv4 address inside an IPv6 address is that IPv4 address. */
export function plainAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join(".");
}

/** Addresses that do not lead to the public internet, or may lead back to this machine. */
const PRIVATE: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32], // the metadata service of Azure
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
  ["::", 96],
  ["64:ff9b::", 32],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
];

/** Whether an address leads to the public internet, and not back to this machine. */
export function isPublic(address: string): boolean {
  const plain = plainAddress(address);
  const blocked = new BlockList();
  for (const [net, prefix] of PRIVATE) blocked.addSubnet(net, prefix, familyOf(net));
  for (const own of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
    blocked.addAddress(own.address.replace(/%.*$/, ""), familyOf(own.address));
  return (isIPv4(plain) || isIPv6(plain)) && !blocked.check(plain, familyOf(plain));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return address.includes(":") ? "ipv6" : "ipv4";
}

/** Whether a name or an address means the machine itself. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}
