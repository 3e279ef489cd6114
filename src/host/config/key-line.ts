import { parse } from "smol-toml";

/** Beyond this many candidates no line is reported, so that a hostile file cannot make this slow. */
const MOST_TRIES = 200;

/**
 * The line on which a key is first set, counted from 1. The parser reports no positions, so we try the lines that mention the key: it is
 * set on the last one before which the document is valid and does not have the key yet.
 */
export function keyLine(text: string, path: readonly string[]): number | undefined {
  const name = path.at(-1) ?? "";
  const lines = text.split("\n");
  const mentions = lines.flatMap((line, i) => (line.includes(name) ? [i] : []));
  if (mentions.length > MOST_TRIES) return undefined;
  const found = mentions.findLast((i) =>
    isBefore(
      lines
        .slice(0, i)
        .map((line) => `${line}\n`)
        .join(""),
      path,
    ),
  );
  return found === undefined ? undefined : found + 1;
}

function isBefore(text: string, path: readonly string[]): boolean {
  try {
    return !has(parse(text), path);
  } catch {
    return false; // in the middle of a value
  }
}

function has(value: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return false;
  return has((value as Record<string, unknown>)[name], rest);
}
