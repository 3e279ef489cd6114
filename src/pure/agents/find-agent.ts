import { HarnessError, namedOrSuggest } from "../base/index.ts";
import type { Agent } from "../pipeline/index.ts";
import { agents } from "./agents.ts";
import { storeFormats } from "./stores.ts";

/** Finds an agent by id or alias, or the format of its sessions on disk. */
export function knownAgent(name: string): Agent | undefined {
  const isNamed = (agent: Agent) => agent.id === name || agent.aliases?.includes(name) === true;
  return Object.values<Agent>(agents).find(isNamed) ?? storeFormats.find(isNamed);
}

/** Finds an agent by id or alias, or throws with suggestions. `others` are the ids of agents registered in addition to ours. */
export function findAgent(name: string, others: readonly string[] = []): Agent {
  const found = knownAgent(name);
  if (found !== undefined) return found;
  throw new HarnessError("usage", namedOrSuggest("agent", name, [...Object.keys(agents), ...others]), { option: "agent" });
}
