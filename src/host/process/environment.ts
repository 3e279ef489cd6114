import { HarnessError } from "../../pure/base/index.ts";
import { deniedVariables } from "./denied-variables.ts";
import { COOKIE } from "./guardian.ts";

/** Variables that a run adds: a value, or undefined to pass on our own value, denied or not. */
export type Additions = ReadonlyMap<string, string | undefined>;

export interface AgentEnvironment {
  readonly env: NodeJS.ProcessEnv;
  /** Names that we have and that are not passed on. */
  readonly removed: readonly string[];
  /** Names that were added, or passed on by request. */
  readonly set: readonly string[];
}

/**
 * The environment an agent gets: ours, minus the denied variables, plus the run's additions. An addition overrides everything except the
 * run's cookie, which identifies the run's processes. A name that should be passed on but is unset stays unset.
 */
export function agentEnvironment(
  parent: NodeJS.ProcessEnv,
  options: { readonly set?: Additions; readonly cookie?: string },
): AgentEnvironment {
  const { set = new Map<string, string | undefined>(), cookie } = options;
  const env: NodeJS.ProcessEnv = Object.create(null);
  const removed: string[] = [];
  for (const [name, value] of Object.entries(parent)) {
    if (value === undefined || set.has(name)) continue;
    if (isDenied(name)) removed.push(name);
    else env[name] = value;
  }
  const added: string[] = [];
  for (const [name, given] of set) {
    const value = given ?? (Object.hasOwn(parent, name) ? parent[name] : undefined);
    if (value === undefined) continue;
    env[name] = value;
    added.push(name);
  }
  if (cookie !== undefined) env[COOKIE] = cookie;
  return { env, removed: removed.sort(), set: added.sort() };
}

/** Only these variables, as far as they are set. */
export function onlyVariables(names: readonly string[], parent: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (parent[name] === undefined ? [] : [[name, parent[name]] as const])));
}

/** `NAME=value` sets a variable, `NAME` passes our own value on. If a name repeats, the last one wins. */
export function additionsOf(entries: readonly string[]): Additions {
  return new Map(entries.map(additionOf));
}

function additionOf(entry: string): readonly [string, string | undefined] {
  const at = entry.indexOf("=");
  const name = at === -1 ? entry : entry.slice(0, at);
  if (name === "" || entry.includes("\0"))
    throw new HarnessError("usage", "An entry of `env` must be NAME=value, or a NAME alone to pass on its current value.", {
      option: "env",
    });
  return [name, at === -1 ? undefined : entry.slice(at + 1)];
}

const exact = new Set(deniedVariables.map(({ name }) => name));
const prefixes = deniedVariables.filter(({ name }) => name.endsWith("*")).map(({ name }) => name.slice(0, -1));

function isDenied(name: string): boolean {
  return exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
