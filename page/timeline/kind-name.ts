import { kinds } from "../../src/pure/timeline/index.ts";

/** Undefined for a type that this page does not know. */
export function kindName(number: number): (typeof kinds)[number] | undefined {
  return kinds[number];
}
