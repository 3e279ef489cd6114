import { isObject, parseJson } from "../base/index.ts";

// A request without what changes from run to run, as lines: the place of a value, and the value. Two requests are the same if their lines
// are.

/** What is volatile in the requests of one agent. */
export interface VolatileParts {
  /** By path: `metadata.user_id`. `*` is any name or place in a list. */
  readonly fields?: readonly string[];
  readonly texts?: readonly VolatileText[];
}

export interface VolatileText {
  readonly name: string;
  readonly text: RegExp;
}

/** A directory with a different path in every run, by what it is. */
export interface NamedPlace {
  readonly path: string;
  readonly name: string;
}

export interface AskedText {
  readonly method: string;
  readonly path: string;
  /** Masked. */
  readonly body: string;
}

/** Volatile for every agent. Each distinct id has its own number, so that a swapped id is still seen. */
const ID = /(?<![0-9a-f-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f-])/gi;
const TEXTS: readonly VolatileText[] = [
  { name: "time", text: /\b20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/g },
  { name: "port", text: /(?<=(?:127\.0\.0\.1|localhost|\[::1\]):)\d{2,5}\b/g },
  { name: "temporary", text: /(?<=\/harness-[a-z]{1,20}-)[A-Za-z0-9]{6}\b/g },
];

/** How to write requests for a comparison. */
export function normalizer(volatile: VolatileParts, places: readonly NamedPlace[]): (request: AskedText) => readonly string[] {
  const fields = (volatile.fields ?? []).map((path) => path.split("."));
  const texts = [...TEXTS, ...(volatile.texts ?? [])];
  const paths = [...places].filter(({ path }) => path.length > 1).sort((a, b) => b.path.length - a.path.length);
  return ({ method, path, body }) => {
    const ids = new Map<string, number>();

    function plain(text: string): string {
      let result = text;
      for (const each of paths) result = result.replaceAll(each.path, `<${each.name}>`);
      for (const each of texts) result = result.replace(each.text, `<${each.name}>`);
      return result.replace(ID, (id) => {
        const known = ids.get(id.toLowerCase()) ?? ids.size + 1;
        ids.set(id.toLowerCase(), known);
        return `<id ${known}>`;
      });
    }

    const lines = [`${method} ${plain(path)}`];
    const add = (place: string, text: string) => lines.push(place === "" ? text : `${place}: ${text}`);

    function walk(value: unknown, at: readonly string[]): void {
      if (at.length > 0 && fields.some((field) => isAt(field, at))) return;
      const place = at.join(".");
      if (typeof value === "string") {
        const [first = "", ...more] = plain(value).split("\n");
        add(place, JSON.stringify(first));
        for (const line of more) add(place, `+ ${JSON.stringify(line)}`);
      } else if (Array.isArray(value)) {
        if (value.length === 0) add(place, "[]");
        for (const [i, each] of value.entries()) walk(each, [...at, String(i)]);
      } else if (isObject(value)) {
        const names = Object.keys(value).sort();
        if (names.length === 0) add(place, "{}");
        for (const name of names) walk(value[name], [...at, name.replaceAll(".", "\\.")]);
      } else add(place, JSON.stringify(value) ?? "null");
    }

    walk(read(body), []);
    return lines;
  };
}

/** The value of a JSON text; any other text verbatim. */
function read(body: string): unknown {
  if (body === "") return "";
  try {
    return parseJson(body);
  } catch {
    return body;
  }
}

function isAt(field: readonly string[], at: readonly string[]): boolean {
  return field.length === at.length && field.every((name, i) => name === "*" || name === at[i]);
}
