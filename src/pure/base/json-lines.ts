import { parseJson } from "./json.ts";

/** One JSON value per line. */
export function jsonLines(values: readonly unknown[]): string {
  let text = "";
  for (const value of values) text += `${JSON.stringify(value)}\n`;
  return text;
}

/** Reads text with one JSON value per line. Throws if a line is not JSON. */
export function parseJsonLines<Value = unknown>(text: string): Value[] {
  const values: Value[] = [];
  for (const line of text.split("\n")) if (line !== "") values.push(parseJson(line) as Value);
  return values;
}
