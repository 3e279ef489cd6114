import { isObject, type JsonObject } from "../../../pure/base/index.ts";
import type { AdapterSchema } from "./adapter-schema.ts";
import { EVERY, type JsonPath, jsonPath, MOST_ITEMS, valuesAt } from "./json-path.ts";

export interface Mapping {
  readonly emitAs: "thought" | "tool_call" | "message" | "plan";
  readonly path: JsonPath;
  readonly value: string;
  readonly content?: JsonPath;
  readonly title?: JsonPath;
  readonly status?: JsonPath;
}

/** A part of a line and its rule. Without a rule: an item that no rule matches, in a list with items that match. */
export interface Match {
  readonly item: unknown;
  readonly mapping?: Mapping;
}

export function mappingsOf({ outputEvents = [] }: AdapterSchema): readonly Mapping[] {
  return outputEvents.map(({ match, emitAs, extract }) => ({
    emitAs,
    path: compiled(match.path),
    value: match.value,
    content: extract?.content === undefined ? undefined : compiled(extract.content),
    title: extract?.title === undefined ? undefined : compiled(extract.title),
    status: extract?.status === undefined ? undefined : compiled(extract.status),
  }));
}

/** Compiles a path that was already checked. */
export function compiled(text: string): JsonPath {
  const path = jsonPath(text);
  return typeof path === "string" ? { steps: [] } : path;
}

/**
 * What the rules find in a line. A rule for the whole line applies if none before it did. A rule with a path to an array applies to its
 * items, and each item belongs to the first rule that matches: a message with text and calls yields both.
 */
export function matchesIn(line: JsonObject, mappings: readonly Mapping[]): readonly Match[] {
  const lists = new Map<readonly unknown[], (Match | undefined)[]>();
  for (const mapping of mappings) {
    if ("literal" in mapping.path) continue; // a fixed text is not in the line
    const { steps } = mapping.path;
    const every = steps.indexOf(EVERY);
    const [found] = valuesAt(line, every < 0 ? steps : steps.slice(0, every)).values;
    if (Array.isArray(found)) {
      if (found.length > MOST_ITEMS) continue;
      const slots = lists.get(found) ?? [];
      lists.set(found, slots);
      const rest = every < 0 ? [] : steps.slice(every + 1);
      for (const [i, item] of found.entries()) if (slots[i] === undefined && fits(item, rest, mapping.value)) slots[i] = { item, mapping };
    } else if (every < 0 && isValue(found, mapping.value) && !anyIn(lists)) return [{ item: line, mapping }];
  }
  return [...lists].flatMap(([items, slots]) => (slots.length === 0 ? [] : items.map((item, i) => slots[i] ?? { item })));
}

/** Matches an item by the value at the rest of the path; without a rest, by its `type`, or by the item itself. */
function fits(item: unknown, rest: Parameters<typeof valuesAt>[1], value: string): boolean {
  if (rest.length > 0) return valuesAt(item, rest).values.some((found) => isValue(found, value));
  return isValue(value !== "*" && isObject(item) ? item["type"] : item, value);
}

/** `*` matches anything but null. */
export function isValue(found: unknown, value: string): boolean {
  if (value === "*") return found !== undefined && found !== null;
  return (typeof found === "string" || typeof found === "number" || typeof found === "boolean") && String(found) === value;
}

function anyIn(lists: ReadonlyMap<unknown, readonly unknown[]>): boolean {
  return [...lists.values()].some((slots) => slots.length > 0);
}
