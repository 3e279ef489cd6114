import { clipped, isObject } from "../../../pure/base/index.ts";
import type { FactBody } from "../../../pure/events/index.ts";
import { recorded, type Safe } from "../../sink/index.ts";
import { LONGEST_FACT } from "./record-lines.ts";

/**
 * The fact, or a copy with shorter texts and lists if no reader would take it. Every long value is also in a sealed file: the prompt in
 * `prompt.txt`, the agent's words in `raw.jsonl`, changes and commands in the artifacts.
 */
export function boundedFact(body: Safe<FactBody>): Safe<FactBody> {
  let bounded = body;
  for (let most = LONGEST_FACT / 64; most >= 1 && isTooLong(bounded); most /= 4)
    bounded = recorded({ ...(cut(body, most) as FactBody), type: body.type } as FactBody);
  return bounded;
}

export function isTooLong(value: unknown): boolean {
  try {
    return JSON.stringify(value).length > LONGEST_FACT;
  } catch {
    return true; // longer than any text can be
  }
}

/** No fact declares more fields; an object with free names may have any number. */
const MOST_DECLARED = 64;

function cut(value: unknown, most: number): unknown {
  if (typeof value === "string") return clipped(value, Math.floor(most));
  if (Array.isArray(value)) return value.slice(0, Math.floor(most / 64)).map((item) => cut(item, most));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).slice(0, Math.max(MOST_DECLARED, Math.floor(most / 64)));
  return Object.fromEntries(fields.map(([name, field]) => [name, cut(field, most)]));
}
