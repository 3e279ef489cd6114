import { HarnessError, namedOrSuggest } from "../base/index.ts";
import type { Agent } from "../pipeline/index.ts";
import { agents } from "./agents.ts";

/** Finds an agent by id or alias. */
export function knownAgent(name: string): Agent | undefined {
  return Object.values<Agent>(agents).find((agent) => agent.id === name || agent.aliases?.includes(name));
}

/** Finds an agent by id or alias, or throws with suggestions. `others` are the ids of agents registered in addition to ours. */
export function findAgent(name: string, others: readonly string[] = []): Agent {
  const found = knownAgent(name);
  if (found !== undefined) return found;
  throw new HarnessError("usage", namedOrSuggest("agent", name, [...Object.keys(agents), ...others]), { option: "agent" });
}
