import { HarnessError } from "../../pure/base/index.ts";
import { isLoopback, shownTarget, type Target, targetOf } from "./target.ts";

/** Which hosts a run may reach in addition to its model. */
export interface NetworkPolicy {
  readonly kind: "none" | "model" | "allow" | "open";
  readonly hosts: readonly AllowedHost[];
}

/** A host that a run may reach. */
export interface AllowedHost {
  /** As the user wrote it. */
  readonly text: string;
  readonly host: string;
  /** Every name below `host`, and not `host` itself. */
  readonly below: boolean;
  /** Undefined: 80 and 443. */
  readonly port?: number;
  readonly isAddress: boolean;
}

export interface Verdict {
  readonly isAllowed: boolean;
  readonly reason: string;
  /** The user named this address, so it need not be public. */
  readonly isNamed: boolean;
}

const FORMS = "Use model, open, none, or allow: with hosts, as in allow:github.com,*.npmjs.org,127.0.0.1:8080.";
const WEB_PORTS: readonly number[] = [80, 443];

/** Reads `model`, `open`, `none` or `allow:<host>,<host>`. */
export function networkPolicy(text: string): NetworkPolicy {
  if (text === "none" || text === "model" || text === "open") return { kind: text, hosts: [] };
  const hosts = text.startsWith("allow:") ? text.slice("allow:".length).split(",") : [];
  if (hosts.length === 0 || hosts.includes(""))
    throw new HarnessError("usage", `Unknown network policy: ${text}. ${FORMS}`, { option: "network" });
  return { kind: "allow", hosts: hosts.map((host) => allowedHost(host.trim())) };
}

export function allowedHost(text: string): AllowedHost {
  const below = text.startsWith("*.");
  const target = targetOf(asciiOf(below ? text.slice(2) : text), 0xffff);
  if (target === undefined || (below && target.isAddress))
    throw new HarnessError("usage", `Not a host: ${text}. ${FORMS}`, { option: "network" });
  const hasPort = /:\d+$/.test(text.replace(/^\[.*\]/, ""));
  return { text, host: target.host, below, isAddress: target.isAddress || isLoopback(target.host), ...(hasPort && { port: target.port }) };
}

/** An international name as its ASCII form, which is what clients ask for. */
function asciiOf(text: string): string {
  if (/^[\x21-\x7e]*$/.test(text) || !URL.canParse(`http://${text}`)) return text;
  return new URL(`http://${text}`).host;
}

/** Judges the name that the client asked for. The addresses behind it are checked when it is resolved. */
export function judge({ kind, hosts }: NetworkPolicy, target: Target): Verdict {
  const match = hosts.find((each) => matches(each, target));
  if (match !== undefined) return { isAllowed: true, reason: `allowed as ${match.text}`, isNamed: match.isAddress };
  if (kind === "open") return { isAllowed: true, reason: "the network is open", isNamed: false };
  const reason = kind === "allow" ? `${shownTarget(target)} is not in the list of allowed hosts` : "this run reaches only its model";
  return { isAllowed: false, reason, isNamed: false };
}

function matches({ host, below, port }: AllowedHost, target: Target): boolean {
  if (port === undefined ? !WEB_PORTS.includes(target.port) : port !== target.port) return false;
  if (below) return !target.isAddress && target.host.endsWith(`.${host}`);
  return host === target.host || (isLoopback(host) && isLoopback(target.host));
}
