import { forEachChild, parse, type Statement, type SyntaxNode } from "unbash";
import { readArgument } from "./argument.ts";
import { programsIn } from "./category.ts";
import { isTooLong } from "./classify.ts";
import { SHELLS } from "./unwrap-shell.ts";

type Wanted = (words: readonly string[]) => boolean;

/**
 * Whether the exit code of a shell text is that of the programs in it that are asked about: 0 only if each of them passed. It is of
 * `cd x && npm test`; not of `npm test | tail`, `npm test || true` or `npm test; echo done`.
 */
export function vouchesFor(text: string, wanted: Wanted): boolean {
  if (isTooLong(text)) return false;
  try {
    const { errors = [], commands } = parse(text);
    return errors.length === 0 && ofList(commands, wanted, { errexit: false, pipefail: false });
  } catch {
    return false; // deeper nested than the parser's stack
  }
}

/** The same of a command as it was started: a shell vouches as its text does, anything else for itself and what it runs. */
export function vouches(argv: readonly string[], wanted: Wanted): boolean {
  const text = scriptOf(argv);
  return text === undefined || vouchesFor(text, wanted);
}

/** The text that a shell was given, if it is a shell that was given one. */
export function scriptOf([name = "", ...args]: readonly string[]): string | undefined {
  if (!SHELLS.has(name.slice(name.lastIndexOf("/") + 1))) return undefined;
  const at = args.findIndex((word) => /^-[a-zA-Z]*c$/.test(word));
  return at === -1 ? undefined : (args[at + 1] ?? "");
}

interface Options {
  errexit: boolean;
  pipefail: boolean;
}

function ofList(statements: readonly Statement[], wanted: Wanted, options: Options): boolean {
  return statements.every(({ command, background }, index) => {
    if (!holds(command, wanted)) {
      take(command, options);
      return true;
    }
    const counts = index === statements.length - 1 || options.errexit;
    return counts && background !== true && ofNode(command, wanted, options);
  });
}

function ofNode(node: SyntaxNode, wanted: Wanted, options: Options): boolean {
  if (!holds(node, wanted)) return true;
  switch (node.type) {
    case "Command":
      return programsIn(wordsOf(node)).some(wanted) && vouches(wordsOf(node), wanted); // else they are in `$(…)`
    case "AndOr":
      return !node.operators.includes("||") && node.commands.every((part) => ofNode(part, wanted, options));
    case "Pipeline": {
      if (node.prefixes.some(({ type }) => type === "Negation")) return false;
      const others = options.pipefail ? [] : node.commands.slice(0, -1);
      return !others.some((part) => holds(part, wanted)) && node.commands.every((part) => ofNode(part, wanted, options));
    }
    case "BraceGroup":
    case "Subshell":
      return ofList(node.body.commands, wanted, { ...options });
    case "Redirected":
      return ofNode(node.command, wanted, options);
    default:
      return false; // a condition, a loop, a function
  }
}

/** `set -e`, `set -euo pipefail`. */
function take(node: SyntaxNode, options: Options): void {
  if (node.type !== "Command") return;
  const [name, ...args] = wordsOf(node);
  if (name !== "set") return;
  if (args.some((word) => /^-[a-z]*e/.test(word)) || args.includes("errexit")) options.errexit = true;
  if (args.includes("pipefail")) options.pipefail = true;
}

function holds(node: SyntaxNode, wanted: Wanted): boolean {
  if (node.type === "Command" && programsIn(wordsOf(node)).some(wanted)) return true;
  let found = false;
  forEachChild(node, (child) => {
    found ||= holds(child, wanted);
  });
  return found;
}

function wordsOf(node: Extract<SyntaxNode, { readonly type: "Command" }>): readonly string[] {
  if (node.name === undefined) return [];
  return [node.name, ...node.args].map((word) => (word.type === "Word" ? readArgument(word).value : word.text));
}
