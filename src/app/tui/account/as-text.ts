/** More than a row of any terminal shows. */
const ENOUGH = 600;
const DEEPEST = 4;

/** A JSON value as short text: `query: weather, limit: 5`, without empty fields. Reads no more than it shows. */
export function asText(value: unknown): string {
  const out = { text: "" };
  write(out, value, 0);
  return out.text.slice(0, ENOUGH);
}

/** The first text in a value; in a request it is usually the task. */
export function firstText(value: unknown): string {
  if (typeof value !== "object" || value === null) return asText(value);
  return Object.values(value).find((each): each is string => typeof each === "string" && each !== "") ?? asText(value);
}

function write(out: { text: string }, value: unknown, depth: number): void {
  if (typeof value === "string") out.text += value.slice(0, ENOUGH);
  else if (typeof value !== "object" || value === null) out.text += String(value);
  else if (depth === DEEPEST) out.text += "…";
  else if (Array.isArray(value)) writeAll(out, value.keys(), (index) => write(out, value[index], depth + 1), "[]");
  else writeFields(out, value as Readonly<Record<string, unknown>>, depth);
}

function writeFields(out: { text: string }, fields: Readonly<Record<string, unknown>>, depth: number): void {
  function field(name: string): void {
    out.text += `${name.slice(0, ENOUGH)}: `;
    write(out, fields[name], depth + 1);
  }
  const filled = Object.keys(fields).filter((name) => !isEmpty(fields[name]));
  writeAll(out, filled, field, depth === 0 ? "" : "{}");
}

function writeAll<Key>(out: { text: string }, keys: Iterable<Key>, one: (key: Key) => void, brackets: string): void {
  out.text += brackets.slice(0, 1);
  let separator = "";
  for (const key of keys) {
    if (out.text.length > ENOUGH) return;
    out.text += separator;
    one(key);
    separator = ", ";
  }
  out.text += brackets.slice(1);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}
