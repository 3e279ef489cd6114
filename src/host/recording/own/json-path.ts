import { isObject } from "../../../pure/base/index.ts";

/** A key, an index, or every item. */
type Step = string | number | typeof EVERY;

export const EVERY = Symbol("every item");

/** What a path in a schema stands for: a fixed text, or a place in an object. */
export type JsonPath = { readonly literal: string } | { readonly steps: readonly Step[] };

/** More than any output needs, and few enough that a stranger's file is cheap to read. */
const LONGEST = 512;
const MOST_STEPS = 16;
/** Longer arrays are skipped: with every rule of a schema, a line of millions of items would take minutes. */
export const MOST_ITEMS = 10_000;

/** `.name`, `[0]`, `[*]`, `['name']`, `["name"]`. The code relies on the order of the groups. */
const STEP = /\.([^.[\]'"]+)|\[(\d{1,9})\]|\[(\*)\]|\['([^']*)'\]|\["([^"]*)"\]/y;

/**
 * Reads `$.a.b`, `$.a[0].b`, `$.a[*].b`, `$['odd key']` and `'word'`. Returns a string if the text is none of them, with the reason. Each
 * step goes down one level, and only one may cover every item, so a path is cheap on any line. `..`, filters and a second `[*]` could be
 * expensive and are not supported.
 */
export function jsonPath(text: string): JsonPath | string {
  if (text.length > LONGEST) return `is longer than ${LONGEST} characters`;
  if (text.length > 1 && text.startsWith("'") && text.endsWith("'")) return { literal: text.slice(1, -1) };
  if (!text.startsWith("$")) return "must begin with $, as in $.message.text, or be a text in single quotes, as in 'pending'";
  const steps: Step[] = [];
  for (let at = 1; at < text.length; at = STEP.lastIndex) {
    STEP.lastIndex = at;
    const match = STEP.exec(text);
    if (match === null) return `is not valid from "${text.slice(at, at + 20)}"; write $.a.b, $.a[0], $.a[*].b or $['a b']`;
    const [, name, index, every, quoted, doubled] = match;
    steps.push(every === undefined ? (index === undefined ? (name ?? quoted ?? doubled ?? "") : Number(index)) : EVERY);
  }
  if (steps.length > MOST_STEPS) return `has more than ${MOST_STEPS} steps`;
  return steps.filter((step) => step === EVERY).length > 1 ? "has more than one [*]" : { steps };
}

/** The values at a path. With `isList`, they are the items of an array. */
export interface Found {
  readonly values: readonly unknown[];
  readonly isList: boolean;
}

/** Finds own properties only: `__proto__` and `constructor` are names like any other. */
export function valuesAt(value: unknown, steps: readonly Step[]): Found {
  let values: readonly unknown[] = [value];
  let isList = false;
  for (const step of steps) {
    isList ||= step === EVERY;
    values = values.length === 1 ? taken(values[0], step) : values.flatMap((each) => taken(each, step));
  }
  return { values, isList };
}

function taken(value: unknown, step: Step): readonly unknown[] {
  if (step === EVERY) return Array.isArray(value) && value.length <= MOST_ITEMS ? value : [];
  if (typeof step === "number") return Array.isArray(value) && step < value.length ? [value[step]] : [];
  return isObject(value) && Object.hasOwn(value, step) ? [value[step]] : [];
}

/** The text at a path; several texts are joined, and an item with a `text` counts as that text. Undefined if there is none. */
export function textAt(value: unknown, path: JsonPath | undefined): string | undefined {
  if (path === undefined) return undefined;
  if ("literal" in path) return path.literal;
  const texts = valuesAt(value, path.steps)
    .values.flatMap((found) => (Array.isArray(found) ? found : [found]))
    .map(textOf);
  const present = texts.filter((text) => text !== undefined);
  return present.length === 0 ? undefined : present.join("");
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return isObject(value) && typeof value["text"] === "string" ? value["text"] : undefined;
}
