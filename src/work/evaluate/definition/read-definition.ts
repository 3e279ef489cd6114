import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { parse as parseToml, TomlError } from "smol-toml";
import { isNode, LineCounter, parseDocument } from "yaml";
import { codeOf, type Flaw, flawOf, HarnessError, isObject, nearest } from "../../../pure/base/index.ts";
import { type EvaluationDefinition, evaluationFile } from "./shape.ts";

const LARGEST = 4 * 1024 * 1024;

/** Reads YAML, JSON or TOML. Throws at the first mistake, with file and line. */
export function readDefinition(path: string): EvaluationDefinition {
  const text = textOf(path);
  const { value, lineOf } = extname(path) === ".toml" ? tomlIn(text, path) : yamlIn(text, path);
  if (!isObject(value)) throw new HarnessError("input", `${path}: not an evaluation. It needs "cases" and "sides".`);
  const flaw = flawOf(evaluationFile, value, { strict: true });
  if (flaw !== undefined) throw new HarnessError("input", `${place(path, lineOf(flaw))}: ${mistake(flaw, value)}`);
  return value as unknown as EvaluationDefinition;
}

type LineOf = (path: Flaw) => number | undefined;

function textOf(path: string): string {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > LARGEST) throw new HarnessError("input", `${path} is too large for an evaluation.`);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    const why =
      { ENOENT: "there is no such file", EISDIR: "it is a directory", EACCES: "permission denied" }[codeOf(error)] ?? "it is not UTF-8";
    throw new HarnessError("input", `Cannot read ${path}: ${why}.`, { cause: error });
  }
}

/** JSON is YAML, so both have lines. Aliases are limited: a few lines must not become gigabytes. */
function yamlIn(text: string, path: string): { value: unknown; lineOf: LineOf } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
  const [error] = document.errors;
  if (error !== undefined)
    throw new HarnessError("input", `${place(path, lines.linePos(error.pos[0]).line)}: ${error.message.replace(/\.?$/, ".")}`);
  const lineOf: LineOf = (flaw) => {
    for (let length = flaw.length; length >= 0; length--) {
      const node: unknown = document.getIn(flaw.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return undefined;
  };
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), lineOf };
  } catch (cause) {
    throw new HarnessError("input", `${path}: too many aliases.`, { cause });
  }
}

function tomlIn(text: string, path: string): { value: unknown; lineOf: LineOf } {
  try {
    return { value: parseToml(text), lineOf: (flaw) => tomlLine(text, flaw) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new HarnessError("input", `${place(path, error.line)}: not valid TOML: ${error.message.split("\n")[0] ?? ""}`, { cause: error });
  }
}

/** The parser reports no positions: the last key is looked for in the text. */
function tomlLine(text: string, flaw: Flaw): number | undefined {
  const name = flaw.findLast((part) => typeof part === "string");
  const index = text
    .split("\n")
    .findIndex((line) => name !== undefined && new RegExp(`^\\s*"?${String(name).replace(/\W/g, "\\$&")}"?\\s*=`).test(line));
  return index === -1 ? undefined : index + 1;
}

function place(path: string, line: number | undefined): string {
  return line === undefined ? path : `${path}:${line}`;
}

function mistake(flaw: Flaw, value: object): string {
  const name = String(flaw.at(-1) ?? "");
  const holder = flaw
    .slice(0, -1)
    .reduce<unknown>(
      (at, part) => (typeof at === "object" && at !== null ? (at as Record<string, unknown>)[String(part)] : undefined),
      value,
    );
  const shown = flaw.join(".");
  if (!isObject(holder) || holder[name] === undefined) return `"${shown}" is missing.`;
  const known = fieldsNear(flaw);
  if (known.length > 0 && !known.includes(name)) {
    const meant = nearest(name, known);
    return `unknown field "${shown}".${meant === undefined ? ` Use one of ${known.join(", ")}.` : ` Did you mean "${meant}"?`}`;
  }
  return `the value of "${shown}" is not valid.`;
}

function fieldsNear(flaw: Flaw): readonly string[] {
  let schema: unknown = evaluationFile.json(new Map());
  for (const part of flaw.slice(0, -1)) {
    const at = schema as { properties?: Record<string, unknown>; items?: unknown };
    schema = typeof part === "number" ? at.items : at.properties?.[part];
    if (schema === undefined) return [];
  }
  return Object.keys((schema as { properties?: object }).properties ?? {});
}
