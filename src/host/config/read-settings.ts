import { parse, TomlError } from "smol-toml";
import { errorWords, HarnessError, isObject, namedOrSuggest } from "../../pure/base/index.ts";
import type { ConfigFile } from "./config-files.ts";
import { keyLine } from "./key-line.ts";
import { isVariable, type Known, type Leaf, type Names, type Node, type Refusal, schema } from "./schema.ts";
import { keyOf, type Setting } from "./setting.ts";

export interface Source extends ConfigFile {
  readonly text: string;
  /** The user's own file, for the message about a setting that belongs there. */
  readonly user: string | undefined;
}

/** The settings of one file. Throws on the first mistake, with its place. `ignored` gets a sentence for each setting that is left out. */
export function readSettings(source: Source, known: Known = {}, ignored: string[] = []): readonly Setting[] {
  return settingsIn(schema(known), parsed(source), [], { source, known, ignored });
}

interface Reading {
  readonly source: Source;
  readonly known: Known;
  readonly ignored: string[];
}

function parsed({ text, path }: Source): unknown {
  try {
    return parse(text, { maxDepth: 16 });
  } catch (error) {
    const place = error instanceof TomlError ? `${path}:${error.line}:${error.column}` : path;
    throw new HarnessError("input", `${place}: Not valid TOML: ${reasonOf(error)}.`, { cause: error });
  }
}

/** The parser's message, without the lines it quotes from the file: they may hold secrets. */
function reasonOf(error: unknown): string {
  const [first = ""] = errorWords(error).split("\n");
  return first.replace("Invalid TOML document: ", "").replace(/\.$/, "");
}

function settingsIn(node: Node, value: unknown, path: readonly string[], reading: Reading): readonly Setting[] {
  if (node.type === "leaf") return settingOf(node, value, path, reading);
  if (node.type === "names" && isRefused(node.refused, path, reading)) return [];
  if (!isObject(value) || value instanceof Date) throw wrong(`${keyOf(path)} must be a table, not ${kindOf(value)}.`, path, reading);
  return Object.entries(value).flatMap(([name, inner]) =>
    settingsIn(child(node, name, inner, [...path, name], reading), inner, [...path, name], reading),
  );
}

function child(node: Exclude<Node, Leaf>, name: string, value: unknown, path: readonly string[], reading: Reading): Node {
  if (node.type === "table") {
    const found = node.keys.get(name);
    if (found !== undefined) return found;
    const where = path.length === 1 ? "setting" : `setting in [${keyOf(path.slice(0, -1))}]`;
    throw wrong(namedOrSuggest(where, name, [...node.keys.keys()]), path, reading);
  }
  // A table with a `file` defines a new agent. Whether this file may do that is checked with the key.
  const isNew = node.of === "agent" && isObject(value) && Object.hasOwn(value, "file");
  if (!isNew) checkName(node.of, name, path, reading);
  return node.each;
}

function checkName(of: Names["of"], name: string, path: readonly string[], reading: Reading): void {
  if (of === "variable" && !isVariable(name)) throw wrong(`${keyOf(path)} is not a valid variable name.`, path, reading);
  const { agents } = reading.known;
  if (of !== "agent" || agents === undefined || agents.some(({ id }) => id === name)) return;
  const meant = agents.find(({ aliases }) => aliases?.includes(name));
  if (meant !== undefined) throw wrong(`Use [agents.${meant.id}]: ${name} is an alias for that agent.`, path, reading);
  const ids = agents.map(({ id }) => id);
  throw wrong(namedOrSuggest("agent", name, ids), path, reading);
}

function settingOf(leaf: Leaf, value: unknown, path: readonly string[], reading: Reading): readonly Setting[] {
  if (isRefused(leaf.refused?.(value), path, reading)) return [];
  if (leaf.accepts(value)) return [{ key: keyOf(path), path, value, file: reading.source.path }];
  const what = leaf.private === true ? kindOf(value) : shown(value);
  throw wrong(`${keyOf(path)} must be ${leaf.expects}, not ${what}.`, path, reading);
}

/** Rejects or leaves out settings that would let a directory decide what runs, and who gets the code, merely because we are in it. */
function isRefused(refusal: Refusal | undefined, path: readonly string[], reading: Reading): boolean {
  const { scope, user } = reading.source;
  if (refusal === undefined || scope === "user") return false;
  const remedy = user === undefined ? `Use \`${refusal.instead}\`.` : `Move it to ${user}, or use \`${refusal.instead}\`.`;
  const what = refusal.isIgnored ? `Ignored ${keyOf(path)}` : `A project's settings cannot set ${keyOf(path)}`;
  const refused = wrong(`${what}: ${refusal.why}. ${remedy}`, path, reading, refusal.instead);
  if (!refusal.isIgnored) throw refused;
  reading.ignored.push(refused.message);
  return true;
}

function wrong(sentence: string, path: readonly string[], { source }: Reading, option?: string): HarnessError {
  const line = keyLine(source.text, path);
  return new HarnessError("input", `${source.path}${line === undefined ? "" : `:${line}`}: ${sentence}`, { option });
}

function shown(value: unknown): string {
  if (typeof value === "string" && value.length <= 60) return JSON.stringify(value);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : kindOf(value);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a date";
  if (typeof value === "string") return "a string";
  return typeof value === "object" ? "a table" : `a ${typeof value}`;
}
