import {
  anyObject,
  count,
  fits,
  flag,
  isObject,
  type JsonObject,
  list,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from "../base/index.ts";
import { isAtLeast, levels } from "./level.ts";

/** What a probe found that ran inside the same walls right before the agent. */
export const findings = object({
  readsOutside: flag,
  writesOutside: flag,
  /** Absent if the network is open. */
  connectsOutside: optional(flag),
  /** In recordings of earlier versions: whether our proxy answers. Now the agent does not start before it does. */
  reachesProxy: optional(flag),
  writesWorkspace: flag,
  /** The processes it sees, without its own. */
  processes: count,
  capabilities: text,
  newPrivileges: flag,
});

export type Findings = Static<typeof findings>;

/** The walls in short, for results and events. */
export const wallFacts = object({
  level: oneOf(...levels),
  tool: optional(text),
  version: optional(text),
  network: optional(text),
  /** The paths it can change; `/`: every path that its user can. */
  writable: optional(list(text)),
  limits: optional(anyObject),
  verified: flag,
});

export type WallFacts = Static<typeof wallFacts>;

export function wallFactsOf({ level, tool, version, network, mounts, limits, verified }: Evidence): WallFacts {
  return {
    level,
    ...(tool !== undefined && { tool }),
    ...(version !== undefined && { version }),
    ...(network !== undefined && { network }),
    ...(mounts !== undefined && { writable: mounts.flatMap(writableIn) }),
    ...(limits !== undefined && { limits }),
    verified,
  };
}

/** Devices and empty directories, which are gone at the end, are not listed. */
function writableIn({ kind, path }: JsonObject): readonly string[] {
  if (kind === "everything") return ["/"];
  return kind === "write" && typeof path === "string" ? [path] : [];
}

/** The walls of a run, as its recording describes them. */
export const evidence = object({
  level: oneOf(...levels),
  /** The level that was asked for; absent: the default. */
  asked: optional(oneOf(...levels)),
  /** Why the default level is not the one in force. */
  unavailable: optional(list(object({ level: oneOf(...levels), why: text }))),
  tool: optional(text),
  version: optional(text),
  /** Of a container: its name and hash. */
  image: optional(text),
  /** `open`, `none`, or `proxy:` and the policy. */
  network: optional(text),
  /** Variables whose values stay outside: the agent has placeholders, and the proxy puts the keys into its requests. */
  held: optional(list(text)),
  /** Variables with secrets that are not the agent's own, and that it did not get. */
  withheld: optional(list(text)),
  mounts: optional(list(anyObject)),
  /** The limits on what the run may use, and what enforces each. */
  limits: optional(anyObject),
  /** A probe ran inside and found no flaw. */
  verified: flag,
  found: optional(findings),
  /** A private directory of the run outside, removed at its end. */
  place: optional(text),
});

export type Evidence = Static<typeof evidence>;

/** One line for people. */
export function isolationText({ level, tool, version, network, verified, unavailable = [] }: Evidence): string {
  const by = tool === undefined ? "" : ` by ${tool}${version === undefined ? "" : ` ${version}`}`;
  const how =
    level === "none" ? "" : `${verified ? ", verified" : ", not verified"}${network === undefined ? "" : `; network: ${network}`}`;
  const [missing] = unavailable;
  return `${level}${by}${how}${missing === undefined ? "" : `; ${missing.level} is not available: ${missing.why}`}`;
}

/** What the walls let through, one fact per line, for people. */
export function wallLines({ held = [], found, mounts = [], limits = {}, unavailable = [], ...facts }: Evidence): readonly WallLine[] {
  const { level, asked, tool, version = "", network, verified } = facts;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ["level", asked === undefined ? `${level} (the default)` : level],
    ...unavailable.map((each) => [`not ${each.level}`, each.why] as const),
    ["built by", tool && `${tool} ${version}`.trim()],
    ["verified", level === "none" ? undefined : verified ? "yes, by a probe inside" : "no"],
    ["found", fits(findings, found) ? foundText(found) : undefined],
    ["network", network],
    ["keys outside", held.length === 0 ? undefined : held.join(", ")],
    ["limits", Object.keys(limits).length === 0 ? undefined : Object.entries(limits).map(limitText).join(", ")],
    ["can change", textOf(mounts.flatMap(writableIn))],
    ["can read", textOf(mounts.flatMap(({ kind, path }) => (kind === "read" && typeof path === "string" ? [path] : [])))],
  ];
  return lines.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

export interface WallLine {
  readonly name: string;
  readonly value: string;
}

function textOf(paths: readonly string[]): string | undefined {
  return paths.length === 0 ? undefined : paths.join(", ");
}

function limitText([name, limit]: readonly [string, unknown]): string {
  const { limit: amount, by } = isObject(limit) ? limit : {};
  return `${name} ${String(amount)} (${String(by)})`;
}

function foundText({ readsOutside, writesOutside, connectsOutside, processes, capabilities }: Findings): string {
  const can = (isAble: boolean, what: string) => `${isAble ? "can" : "cannot"} ${what}`;
  return [
    can(readsOutside, "read a file outside"),
    can(writesOutside, "change it"),
    ...(connectsOutside === undefined ? [] : [can(connectsOutside, "connect to a server outside")]),
    `sees ${processes} other ${processes === 1 ? "process" : "processes"}`,
    /^0+$/.test(capabilities) ? "no capabilities" : `capabilities ${capabilities}`,
  ].join(", ");
}

/** The most processes that a probe may see: the first one inside, its own parent, one that it started itself, and the bridge to a proxy. */
const MOST_PROCESSES = 4;

/** What contradicts a level, by the findings of the probe. */
export function flawsOf({
  level,
  asked,
  tool,
  network,
  found,
}: Pick<Evidence, "level" | "asked" | "tool" | "network" | "found">): readonly string[] {
  if (asked !== undefined && asked !== level) return [`${asked} was asked for`];
  if (level === "none") return [];
  if (!fits(findings, found)) return ["no probe has confirmed it"];
  const isFiles = isAtLeast(level, "files");
  const isLinux = tool !== "sandbox-exec"; // macOS has neither /proc nor capabilities
  return [
    isLinux && found.processes > MOST_PROCESSES && `it sees ${found.processes} processes`,
    isFiles && found.readsOutside && "it reads files outside",
    isFiles && found.writesOutside && "it writes files outside",
    isFiles && isLinux && !/^0+$/.test(found.capabilities) && `it has the capabilities ${found.capabilities}`,
    isFiles && isLinux && found.newPrivileges && "it can gain privileges",
    network !== "open" && found.connectsOutside !== false && "it connects to servers outside",
    network?.startsWith("proxy:") === true && found.reachesProxy === false && "it cannot reach our proxy",
    !found.writesWorkspace && "it cannot write the workspace",
  ].filter((flaw) => flaw !== false);
}
