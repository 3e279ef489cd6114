import { HarnessError } from "../../pure/base/index.ts";
import { deniedVariables } from "./denied-variables.ts";
import { COOKIE } from "./guardian.ts";

/** What a run adds to the environment: a value, or undefined for our own value of that name, denied or not. */
export type Additions = ReadonlyMap<string, string | undefined>;

export interface AgentEnvironment {
  readonly env: NodeJS.ProcessEnv;
  /** Names that were there and are not passed on. */
  readonly removed: readonly string[];
  /** Names that were added or passed on by request. */
  readonly set: readonly string[];
}

/**
 * The environment an agent is started with: ours, without what is denied, with what the run adds. An addition wins over
 * everything but the run's cookie, by which its processes are found. A name passed on that we do not have stays unset.
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

/** These variables of ours and no other, as far as we have them. */
export function onlyVariables(names: readonly string[], parent: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (parent[name] === undefined ? [] : [[name, parent[name]] as const])));
}

/** `NAME=value` sets a variable, `NAME` passes our own value on; the last one of a name wins. */
export function additionsOf(words: readonly string[]): Additions {
  return new Map(words.map(additionOf));
}

function additionOf(word: string): readonly [string, string | undefined] {
  const at = word.indexOf("=");
  const name = at === -1 ? word : word.slice(0, at);
  if (name === "" || word.includes("\0"))
    throw new HarnessError("usage", "Give `env` a name and a value, as in NAME=value, or a name alone to pass ours on.", { option: "env" });
  return [name, at === -1 ? undefined : word.slice(at + 1)];
}

const exact = new Set(deniedVariables.map(({ name }) => name));
const prefixes = deniedVariables.filter(({ name }) => name.endsWith("*")).map(({ name }) => name.slice(0, -1));

function isDenied(name: string): boolean {
  return exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
