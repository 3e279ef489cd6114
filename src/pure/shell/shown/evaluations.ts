import type { ArithmeticExpression, ParameterExpansionPart, SyntaxNode, Word } from "unbash";
import { forEachChild } from "unbash";
import { isNumber, type Value, type Values } from "./words.ts";

/** Comparisons of `[[` whose sides are expressions. */
const COMPARES = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

const NAME = /^[A-Za-z_]\w*$/;

/**
 * Why expanding this node may run a program that it does not show. The shell evaluates an expression, a subscript and an indirect name again
 * after it replaced variables, and runs what it finds there: `x='a[$(rm y)]'; $((x))`.
 */
export function evaluatesIn(node: SyntaxNode, values: Values): string | undefined {
  switch (node.type) {
    case "ArithmeticExpansion":
      return arithmetic(node.text.slice(node.text.startsWith("$[") ? 2 : 3, node.text.startsWith("$[") ? -1 : -2), values);
    case "ArithmeticCommand":
      return arithmetic(node.body, values);
    case "ArithmeticFor":
      return [node.initialize, node.test, node.update].some((each) => each !== undefined && !isSafe(each, values))
        ? "its expression is evaluated again"
        : undefined;
    case "TestBinary":
      return COMPARES.has(node.operator) ? (subscript(node.left, values) ?? subscript(node.right, values)) : undefined;
    case "TestUnary":
      return /^-[vR]$/.test(node.operator) && !NAME.test(node.operand.text) ? `${node.operand.text} is evaluated again` : undefined;
    case "ParameterExpansion":
      return parameter(node, values);
    case "Assignment":
      return node.index === undefined ? undefined : subscript(node.index, values);
    case "FileDescriptorVariable":
      return NAME.test(node.name) ? undefined : `${node.name} is evaluated again`;
    default:
      return undefined;
  }
}

function parameter({ text, prefix, index, operation }: ParameterExpansionPart, values: Values): string | undefined {
  const isWhole = index !== undefined && /^[@*]$/.test(index.text);
  if (prefix === "!" && !isWhole && operation?.type !== "Names") return `${text} names a variable that becomes known only when it runs`;
  if (index !== undefined && !isWhole && subscript(index, values) !== undefined) return `${text} is evaluated again`;
  if (operation?.type === "Transform" && !/^[QUuLaAKk]$/.test(operation.operand.text)) return `${text} is evaluated again`;
  if (operation?.type === "Unknown") return `${text} is not known`;
  if (operation?.type !== "Slice") return undefined;
  return arithmetic(`${operation.offset.text} , ${operation.length?.text ?? "0"}`, values);
}

function subscript(word: Word, values: Values): string | undefined {
  return arithmetic(word.text.replace(/^"(.*)"$/s, "$1"), values);
}

/** Numbers, operators and variables that contain numbers. */
function arithmetic(text: string, values: Values): string | undefined {
  const rest = text
    .replace(/(?<![\w$])[A-Za-z_]\w*\s*=(?!=)/g, " ")
    .replace(/\$\{#?(\w+)\}|\$(\w+|[?#$!])|\b(?:0[xX][0-9a-fA-F]+|\d+)\b|\b[A-Za-z_]\w*\b/g, (found, braced, simple) => {
      const name = braced ?? simple ?? found;
      return found.startsWith("${#") || /^\d/.test(found) || isNumber(name, values) ? " " : "`";
    });
  return /^[\s+\-*/%<>=!&|^~?:(),]*$/.test(rest) ? undefined : `${text.trim()} is evaluated again`;
}

/** The same for an expression that is already parsed. */
function isSafe(node: SyntaxNode, values: Values): boolean {
  if (node.type === "ArithmeticCommandExpansion") return false;
  if (node.type === "ArithmeticWord") return arithmetic(node.value, values) === undefined;
  if (
    node.type === "ArithmeticBinary" &&
    /^[-+*/%]?=$/.test(node.operator) &&
    node.left.type === "ArithmeticWord" &&
    NAME.test(node.left.value)
  )
    return isSafe(node.right, values) && (node.operator === "=" || isSafe(node.left, values));
  let isAll = true;
  forEachChild(node, (child) => {
    isAll &&= isSafe(child, values);
  });
  return isAll;
}

/** The variables that an expression sets to a number before it uses them: `i=0`. */
export function firstIn(node: ArithmeticExpression | undefined): readonly string[] {
  if (node?.type !== "ArithmeticBinary") return [];
  if (node.operator === ",") return [...firstIn(node.left), ...firstIn(node.right)];
  const { left, right } = node;
  return node.operator === "=" && left.type === "ArithmeticWord" && right.type === "ArithmeticWord" && /^\d+$/.test(right.value)
    ? [left.value]
    : [];
}

/** Builtins whose arguments are names of variables. */
const NAMES = new Set("read mapfile readarray getopts unset export declare typeset local readonly let wait".split(" "));

/** The variables that a node may set, and the numbers among them. `*`: any. */
export function assignedIn(node: SyntaxNode, into: Map<string, Value | undefined> = new Map()): Map<string, Value | undefined> {
  const set = (name: string, isWhole: boolean) =>
    into.set(name, isWhole && (!into.has(name) || into.get(name) === "number") ? "number" : undefined);
  if (node.type === "Assignment")
    set(node.name, node.value.type === "Word" && isWhole(node.value) && node.index === undefined && !node.append);
  if (node.type === "For" || node.type === "Select") set(node.name.text, false);
  if (node.type === "ParameterExpansion" && node.operation?.type === "Default" && node.operation.operator.includes("="))
    set(node.parameter, false);
  for (const text of expressionsOf(node))
    if (/(?:^|[^=!<>])=(?!=)|\+\+|--/.test(text)) for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) set(name, true);
  if (node.type === "FileDescriptorVariable") set(node.name, true);
  if (node.type === "ArithmeticWord" && NAME.test(node.value)) set(node.value, true);
  if (node.type === "ArithmeticCommand") for (const [name] of node.body.matchAll(/[A-Za-z_]\w*/g)) set(name, true);
  if (node.type === "ArithmeticExpansion")
    for (const [name] of node.text.matchAll(/[A-Za-z_]\w*/g)) if (/\+\+|--|=/.test(node.text)) set(name, true);
  if (node.type === "Command") {
    const name = node.name?.text ?? "";
    if (/^(?:eval|source|\.|command|builtin|trap)$/.test(name)) into.set("*", undefined);
    if (NAMES.has(name) || (name === "printf" && node.args[0]?.text.startsWith("-v")))
      for (const { text } of node.args) set(/^\w*/.exec(text)?.[0] ?? "", false);
    if (node.name !== undefined && /[$`]/.test(name)) into.set("*", undefined);
  }
  forEachChild(node, (child) => void assignedIn(child, into));
  return into;
}

/** Subscripts, slices and comparisons are expressions, too: `${a[x=5]}`. */
function expressionsOf(node: SyntaxNode): readonly string[] {
  if (node.type === "Assignment") return node.index === undefined ? [] : [node.index.text];
  if (node.type === "TestBinary") return COMPARES.has(node.operator) ? [node.left.text, node.right.text] : [];
  if (node.type !== "ParameterExpansion") return [];
  const slice = node.operation?.type === "Slice" ? [node.operation.offset.text, node.operation.length?.text ?? ""] : [];
  return [...slice, ...(node.index === undefined ? [] : [node.index.text])];
}

/** `3`, `$((…))` and `${#x}`. */
export function isWhole(word: Word): boolean {
  const [part, ...more] = word.parts ?? [];
  if (/^-?\d{1,18}$/.test(word.text)) return true;
  if (part === undefined || more.length > 0) return false;
  return part.type === "ArithmeticExpansion" || (part.type === "ParameterExpansion" && part.prefix === "#");
}
