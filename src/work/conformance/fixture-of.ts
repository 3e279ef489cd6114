import type { Pin } from "./pin.ts";

/** Whose fixture a run becomes, and what its name ends with. All that is spoken over the protocol is one agent's. */
export function fixtureOf(id: string, { agent = id, inside, ending = "" }: Pin): { readonly id: string; readonly ending: string } {
  return inside === undefined ? { id: agent, ending } : { id: "acp", ending: `-${inside}` };
}
