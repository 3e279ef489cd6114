import type { Pin } from "./pin.ts";

/** The agent that a run's fixture belongs to, and the suffix of its name. All runs over the protocol belong to one agent. */
export function fixtureOf(id: string, { agent = id, inside, ending = "" }: Pin): { readonly id: string; readonly ending: string } {
  return inside === undefined ? { id: agent, ending } : { id: "acp", ending: `-${inside}` };
}
