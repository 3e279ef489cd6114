import type { Agent } from "./agent.ts";

/**
 * Readers that are part of this package: tested over its whole corpus, they are taken at their word. What anybody else's agent
 * answers is looked at first (guarded.ts). Kept by function, so that an agent made from one of ours with another reader is a stranger.
 */
const vouched = new WeakSet<object>();

/** Of which an agent may lack the second. */
const READERS = ["open", "text"] as const;

/** The same agents, whose readers are then taken at their word. */
export function vouchedFor<T extends Readonly<Record<string, Agent>>>(agents: T): T {
  for (const agent of Object.values(agents)) {
    for (const reader of READERS.map((name) => agent[name])) if (reader !== undefined) vouched.add(reader);
  }
  return agents;
}

export function isVouchedFor(agent: Agent): boolean {
  const [open, text] = READERS.map((name) => agent[name]);
  return open !== undefined && vouched.has(open) && (text === undefined || vouched.has(text));
}
