import type { Agent } from "./agent.ts";

/**
 * The readers in this package. They are tested on the whole corpus, so their answers are not checked; other agents' answers are
 * (guarded.ts). Stored by function, so an agent built from ours with a different reader is checked again.
 */
const vouched = new WeakSet<object>();

const READERS = ["open", "text"] as const;

/** Marks the readers of these agents as trusted. */
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
