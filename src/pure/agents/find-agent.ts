import { HarnessError, namedOrSuggest } from "../base/index.ts";
import type { Agent } from "../pipeline/index.ts";
import { agents } from "./agents.ts";

/** By id or alias; undefined for any other name. */
export function knownAgent(name: string): Agent | undefined {
  return Object.values<Agent>(agents).find((agent) => agent.id === name || agent.aliases?.includes(name));
}

/** By id or alias. `others` are the ids of agents that were registered besides. */
export function findAgent(name: string, others: readonly string[] = []): Agent {
  const found = knownAgent(name);
  if (found !== undefined) return found;
  throw new HarnessError("usage", namedOrSuggest("agent", name, [...Object.keys(agents), ...others]), { option: "agent" });
}
