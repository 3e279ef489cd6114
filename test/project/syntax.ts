import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { ROOT } from "./root.ts";

/** A node of a syntax tree. */
export interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Syntax {
  /** Every node, each before its parts. */
  readonly nodes: readonly Node[];
  readonly comments: readonly string[];
}

export function syntaxOf(file: string, root = ROOT): Syntax {
  return syntaxIn(readFileSync(join(root, file), "utf8"), file);
}

/** Throws if the text is not a program. */
export function syntaxIn(text: string, file = "text.ts"): Syntax {
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const places = new Set<string>(); // `{ a }` has two nodes in one place
  const nodes = [...nodesIn(program)].filter(({ type, start, end }) => {
    const place = `${type} ${String(start)} ${String(end)}`;
    return !places.has(place) && places.add(place);
  });
  return { nodes, comments: comments.map(({ value }) => value) };
}

function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== "object" || value === null) return;
  if (isNode(value)) yield value;
  for (const part of Object.values(value)) yield* nodesIn(part);
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** A literal text; `…` stands for what a template computes. Undefined for any other expression. */
export function textOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  if (value.type === "Literal" && typeof value["value"] === "string") return value["value"];
  if (value.type !== "TemplateLiteral") return undefined;
  return (value["quasis"] as readonly { readonly value: { readonly cooked: string } }[]).map((part) => part.value.cooked).join("…");
}

export interface Literal {
  readonly text: string;
  /** A regular expression. */
  readonly isPattern: boolean;
}

/** Every text and regular expression of a program. */
export function literalsIn({ nodes }: Syntax): readonly Literal[] {
  return nodes.flatMap((node): readonly Literal[] => {
    const pattern = node.type === "Literal" && "regex" in node ? (node["regex"] as { readonly pattern: string }).pattern : undefined;
    if (pattern !== undefined) return [{ text: pattern, isPattern: true }];
    const text = node.type === "JSXText" ? String(node["value"]) : textOf(node);
    return text === undefined ? [] : [{ text, isPattern: false }];
  });
}
