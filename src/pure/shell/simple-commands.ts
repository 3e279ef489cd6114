import { forEachChild, parse, type SyntaxNode } from "unbash";
import { readArgument } from "./argument.ts";
import { isTooLong } from "./classify.ts";

/** Further commands would add nothing. */
const MOST_COMMANDS = 1_000;
const DEEPEST = 40;

/**
 * The words of every simple command in a shell text, in order, including those in loops, conditions, functions and `$(…)`. Variables stay
 * as written. Not every command need run. Undefined: the text cannot be parsed.
 */
export function simpleCommands(text: string): readonly (readonly string[])[] | undefined {
  if (isTooLong(text)) return undefined;
  const found: string[][] = [];
  const visit = (node: SyntaxNode, depth: number): void => {
    if (found.length >= MOST_COMMANDS || depth > DEEPEST) return;
    if (node.type === "Command" && node.name !== undefined) {
      const words = [node.name, ...node.args].map((word) => (word.type === "Word" ? readArgument(word).value : word.text));
      found.push(words);
    }
    forEachChild(node, (child) => visit(child, depth + 1));
  };
  try {
    const script = parse(text);
    if ((script.errors?.length ?? 0) > 0) return undefined;
    for (const statement of script.commands) visit(statement, 0);
    return found;
  } catch {
    return undefined; // nested deeper than the parser's stack
  }
}
