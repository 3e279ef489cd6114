import { isObject } from "../../../pure/base/index.ts";

/** A step of a path: a key, an index, or every item. */
type Step = string | number | typeof EVERY;

export const EVERY = Symbol("every item");

/** What a path of a schema names: a fixed word, or a place in an object. */
export type JsonPath = { readonly literal: string } | { readonly steps: readonly Step[] };

/** More than any output needs, and little enough that a file of a stranger costs nothing. */
const LONGEST = 512;
const MOST_STEPS = 16;
/** A longer array is not looked into: with every rule of a schema, a line of millions of items would cost minutes. */
export const MOST_ITEMS = 10_000;

/** `.name`, `[0]`, `[*]`, `['name']`, `["name"]`; the places of the alternatives are their meaning. */
const STEP = /\.([^.[\]'"]+)|\[(\d{1,9})\]|\[(\*)\]|\['([^']*)'\]|\["([^"]*)"\]/y;

/**
 * Reads `$.a.b`, `$.a[0].b`, `$.a[*].b`, `$['odd key']` and `'word'`. A string is why it is none of them. Every step looks at
 * one level, and one of them may be about every item, so that a path costs little whatever the line is; `..`, filters and a second
 * `[*]`, which could cost anything, are not read.
 */
export function jsonPath(text: string): JsonPath | string {
  if (text.length > LONGEST) return `is longer than ${LONGEST} characters`;
  if (text.length > 1 && text.startsWith("'") && text.endsWith("'")) return { literal: text.slice(1, -1) };
  if (!text.startsWith("$")) return "must begin with $, as in $.message.text, or be a word in single quotes, as in 'pending'";
  const steps: Step[] = [];
  for (let at = 1; at < text.length; at = STEP.lastIndex) {
    STEP.lastIndex = at;
    const match = STEP.exec(text);
    if (match === null) return `cannot be read from "${text.slice(at, at + 20)}" on; write $.a.b, $.a[0], $.a[*].b or $['a b']`;
    const [, name, index, every, quoted, doubled] = match;
    steps.push(every === undefined ? (index === undefined ? (name ?? quoted ?? doubled ?? "") : Number(index)) : EVERY);
  }
  if (steps.length > MOST_STEPS) return `has more than ${MOST_STEPS} steps`;
  return steps.filter((step) => step === EVERY).length > 1 ? "has more than one [*]" : { steps };
}

/** The values at a path, and whether an array stands behind them: then each is one of its items. */
export interface Found {
  readonly values: readonly unknown[];
  readonly isList: boolean;
}

/** Only what an object has itself is found: `__proto__` and `constructor` are names like any other. */
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

/** The text at a path: of several the joined one, of an item with a `text` that. Undefined where there is none. */
export function textAt(value: unknown, path: JsonPath | undefined): string | undefined {
  if (path === undefined) return undefined;
  if ("literal" in path) return path.literal;
  const texts = valuesAt(value, path.steps)
    .values.flatMap((found) => (Array.isArray(found) ? found : [found]))
    .map(textOf);
  const told = texts.filter((text) => text !== undefined);
  return told.length === 0 ? undefined : told.join("");
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return isObject(value) && typeof value["text"] === "string" ? value["text"] : undefined;
}
