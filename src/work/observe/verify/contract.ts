import type { JsonObject } from "../../../pure/base/index.ts";
import type { Breach, Must } from "./must.ts";
import { mustsOfAll } from "./musts-of-all.ts";
import { mustsOfEach } from "./musts-of-each.ts";

/** Every requirement of specification 003 for the nine events. */
export const musts: readonly Must[] = [...mustsOfAll, ...mustsOfEach];

/** The first event that breaks a requirement, and why; for several broken ones, the first. */
export function firstBreach(events: readonly JsonObject[]): (Breach & Pick<Must, "id" | "must">) | undefined {
  const order = musts.find(({ id }) => id === "order")?.breach(events);
  if (order !== undefined) return { ...order, id: "order", must: "all nine events are there, in order, once each" }; // the others rely on it
  const found = musts.flatMap(({ id, must, breach }) => {
    const broken = breach(events);
    return broken === undefined ? [] : [{ ...broken, id, must }];
  });
  return found.sort((a, b) => a.event - b.event)[0];
}
