import { forEachChild, parse, type Statement, type SyntaxNode } from "unbash";
import { readArgument } from "./argument.ts";
import { programsIn, unprefixed } from "./category.ts";
import { isTooLong } from "./classify.ts";
import { simpleCommands } from "./simple-commands.ts";
import { SHELLS } from "./unwrap-shell.ts";

type Wanted = (words: readonly string[]) => boolean;

/**
 * Whether the exit code of a shell text is reliable for the wanted programs in it: 0 only if each of them passed. True for
 * `cd x && npm test`; false for `npm test | tail`, `npm test || true` and `npm test; echo done`.
 */
export function vouchesFor(text: string, wanted: Wanted): boolean {
  if (isTooLong(text)) return false;
  try {
    const { errors = [], commands } = parse(text);
    if (errors.length > 0 || commands.some(({ command }) => commandsIn(command).some(([name]) => name === "trap"))) return false;
    return ofList(commands, wanted, { errexit: false, pipefail: false });
  } catch {
    return false; // nested deeper than the parser's stack
  }
}

/** Whether a started command vouches: a shell as its text does, any other program for itself and what it runs. */
export function vouches(argv: readonly string[], wanted: Wanted): boolean {
  const text = scriptOf(argv);
  return text === undefined || vouchesFor(text, wanted);
}

/** Programs that hardly ever fail. */
const HARMLESS = new Set(["cd", "echo", "printf", "true", ":", "set", "export", "pwd", "date", "clear"]);

/** Whether a failed shell text must have failed in a wanted program: false for `npm test && git push`. */
export function failsBy(text: string, wanted: Wanted): boolean {
  if (!vouchesFor(text, wanted)) return false;
  const programs = parse(text).commands.flatMap(({ command }) => commandsIn(command).flatMap((words) => programsIn(words)));
  return programs.every((words) => wanted(words) || HARMLESS.has(words[0] ?? ""));
}

/** The text passed to a shell, also behind `timeout 60`; undefined if it is not a shell with a text. */
export function scriptOf(argv: readonly string[]): string | undefined {
  const [name = "", ...args] = unprefixed(argv);
  if (!SHELLS.has(name.slice(name.lastIndexOf("/") + 1))) return undefined;
  const at = args.findIndex((word) => /^-[a-zA-Z]*c$/.test(word));
  return at === -1 ? undefined : (args[at + 1] ?? "");
}

/** The simple commands of a text, as written; instead of a shell with a text, those of its text. Undefined: it cannot be parsed. */
export function innerCommands(text: string, depth = 0): readonly (readonly string[])[] | undefined {
  const found: (readonly string[])[] = [];
  for (const argv of simpleCommands(text) ?? [undefined]) {
    const script = argv === undefined ? undefined : scriptOf(argv);
    const inner =
      argv !== undefined && script === undefined
        ? [argv]
        : depth < 4 && script !== undefined
          ? innerCommands(script, depth + 1)
          : undefined;
    if (inner === undefined) return undefined;
    found.push(...inner);
  }
  return found;
}

interface Options {
  errexit: boolean;
  pipefail: boolean;
  /** Before `&&` a failure does not end the shell, whatever options are set. */
  readonly isTested?: true;
}

function ofList(statements: readonly Statement[], wanted: Wanted, options: Options): boolean {
  return statements.every(({ command, background }, index) => {
    if (!holds(command, wanted)) {
      take(command, options);
      return true;
    }
    const counts = index === statements.length - 1 || (options.errexit && options.isTested !== true && aborts(command));
    return counts && background !== true && ofNode(command, wanted, options);
  });
}

function ofNode(node: SyntaxNode, wanted: Wanted, options: Options): boolean {
  if (!holds(node, wanted)) return true;
  switch (node.type) {
    case "Command":
      return programsIn(wordsOf(node)).some(wanted) && vouches(wordsOf(node), wanted); // otherwise they are in `$(…)`
    case "AndOr": {
      const last = node.commands.length - 1;
      const within = (index: number): Options => (index === last ? options : { ...options, isTested: true });
      return !node.operators.includes("||") && node.commands.every((part, index) => ofNode(part, wanted, within(index)));
    }
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

/** `set -e; [ -f x ] && npm test; echo` continues if there is no `x`: what stands before `&&` may fail. */
function neverFails(node: SyntaxNode): boolean {
  return node.type === "Command" && HARMLESS.has(wordsOf(node)[0] ?? "") && wordsOf(node)[0] !== "cd";
}

/** Whether `set -e` ends the shell when one of them fails: not before `&&`. */
function aborts(node: SyntaxNode): boolean {
  switch (node.type) {
    case "AndOr": {
      const last = node.commands.length - 1;
      return node.commands.every((part, index) => (index === last ? aborts(part) : neverFails(part)));
    }
    case "BraceGroup":
    case "Subshell":
      return node.body.commands.every(({ command }) => aborts(command));
    case "Redirected":
      return aborts(node.command);
    case "Pipeline":
      return node.commands.every((part) => aborts(part));
    default:
      return true;
  }
}

/** `set -e` and `set -euo pipefail` count if they always run; `set +e` counts anywhere. */
function take(node: SyntaxNode, options: Options): void {
  for (const [name, ...args] of commandsIn(node)) {
    if (name !== "set") continue;
    const words = ` ${args.join(" ")} `;
    if (/ \+(?:[a-z]*e|[a-z]*o errexit )/.test(words)) options.errexit = false;
    else if (node.type === "Command" && / -(?:[a-z]*e|[a-z]*o errexit )/.test(words)) options.errexit = true;
    if (/ \+[a-z]*o pipefail /.test(words)) options.pipefail = false;
    else if (node.type === "Command" && / -[a-z]*o pipefail /.test(words)) options.pipefail = true;
  }
}

function holds(node: SyntaxNode, wanted: Wanted): boolean {
  return commandsIn(node).some((words) => programsIn(words).some(wanted));
}

/** The words of every command in it, including `$(…)`. */
function commandsIn(node: SyntaxNode): readonly (readonly string[])[] {
  const found: (readonly string[])[] = node.type === "Command" ? [wordsOf(node)] : [];
  forEachChild(node, (child) => void found.push(...commandsIn(child)));
  return found;
}

function wordsOf(node: Extract<SyntaxNode, { readonly type: "Command" }>): readonly string[] {
  if (node.name === undefined) return [];
  return [node.name, ...node.args].map((word) => (word.type === "Word" ? readArgument(word).value : word.text));
}
