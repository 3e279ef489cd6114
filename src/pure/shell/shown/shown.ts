import { type Command, forEachChild, parse, type Redirection, type Statement, type SyntaxNode } from "unbash";
import { type Argument, isQuiet, readArgument } from "../argument.ts";
import { isTooLong } from "../classify.ts";
import { bareName, isKnown, namesOf, plain } from "./arguments.ts";
import { collector, type Shown } from "./collector.ts";
import { both, changed, type Directories } from "./directories.ts";
import { EFFECTS } from "./effects.ts";
import { hiddenByAssignment } from "./environment.ts";
import { gitStarts } from "./git.ts";
import { INTERPRETERS } from "./interpreters.ts";
import { LAUNCHERS, LOADER } from "./launchers.ts";
import { optionsThatRun } from "./options-that-run.ts";
import type { Called, Start } from "./start.ts";

/** Commands in commands: `sh -c "sh -c …"`. */
const DEEPEST = 8;
const MOST_COMMANDS = 1_000;
/** An unknown program with more arguments is not searched for commands. */
const MOST_ARGUMENTS = 200;

/** Programs that take their own words, although they write where their text does not show. */
const LEAVES =
  namesOf(`npm pnpm yarn bun cargo go rustc tsc eslint prettier biome jest vitest mocha pytest ruff black mypy pip pip3 gcc g++ cc c++ clang
  clang++ javac mvn gradle dotnet apt apt-get brew gem composer gh systemctl journalctl`);

/** The place of a command. */
interface Place {
  now: Directories;
  /** What follows runs only if it succeeds. */
  readonly isChained?: boolean;
}

/**
 * What a command line runs and writes, as far as its text shows: behind launchers, in shells and in `$(…)`. What the text does not show is
 * named, so that a rule that forbids something can refuse it. Not every command need run. Never throws.
 */
export function shownBy(text: string, isDirectory: (path: string) => boolean = () => false, nesting = 0): Shown {
  const out = collector();
  const functions = new Set<string>();
  let commands = 0;
  const exists = (directory: string | null) => directory !== null && isDirectory(directory);

  function script(source: string, at: Directories, depth: number): void {
    if (depth > DEEPEST) return out.hides("it is nested too deeply");
    if (isTooLong(source)) return out.hides("it is too long");
    const read = parse(source);
    if ((read.errors?.length ?? 0) > 0) return out.hides("it cannot be parsed");
    const place = { now: at };
    statements(read.commands, place, depth);
    return undefined;
  }

  function statements(list: readonly Statement[], place: Place, depth: number): void {
    for (const { command, background } of list) {
      const own = background ? { now: place.now } : place;
      visit(command, own, depth, undefined);
    }
  }

  /** `input`: what the node reads, if not the input of the whole. */
  function visit(node: SyntaxNode, place: Place, depth: number, input: Called["input"]): void {
    switch (node.type) {
      case "Command":
        return simple(node, place, depth, input);
      case "Pipeline":
        for (const [index, part] of node.commands.entries())
          visit(part, node.commands.length > 1 ? { now: place.now } : place, depth, index === 0 ? input : "unknown");
        return undefined;
      case "AndOr":
        return chain(node.commands, node.operators, place, depth, input);
      case "Subshell":
        return statements(node.body.commands, { now: place.now }, depth);
      case "Redirected": {
        const own = redirected(node.redirects, place, depth);
        return visit(node.command, place, depth, own ?? input);
      }
      case "Function":
        functions.add(node.name.text);
        inside(node, { now: [null] }, depth, undefined);
        return undefined;
      case "While":
      case "For":
      case "Select":
      case "ArithmeticFor":
      case "If":
      case "Case": {
        const before = place.now;
        const own = { now: before };
        inside(node, own, depth, input);
        const isMoved = own.now !== before;
        if (isMoved && node.type !== "If" && node.type !== "Case") inside(node, { now: [null] }, depth, input); // the next round starts there
        if (isMoved) place.now = both(before, own.now);
        return undefined;
      }
      default:
        return inside(node, place, depth, input);
    }
  }

  function inside(node: SyntaxNode, place: Place, depth: number, input: Called["input"]): void {
    forEachChild(node, (child) => {
      if (child.type === "CommandExpansion" || child.type === "ProcessSubstitution") {
        if (child.script === undefined) out.hides("it cannot be parsed");
        inside(child, { now: place.now }, depth + 1, undefined);
      } else if (child.type === "Statement") visit(child.command, child.background ? { now: place.now } : place, depth, input);
      else visit(child, place, depth, input);
    });
  }

  /** After `cd x &&` the directory is x; after `cd x;` only if x exists. */
  function chain(parts: readonly SyntaxNode[], operators: readonly string[], place: Place, depth: number, input: Called["input"]): void {
    const before = place.now;
    const own: Place = { now: before, isChained: true };
    for (const [index, part] of parts.entries()) {
      if (index === 0 || operators[index - 1] !== "||") {
        visit(part, own, depth, input);
        continue;
      }
      const other: Place = { now: before, isChained: true };
      visit(part, other, depth, input);
      if (!leaves(part)) own.now = own.now === before ? other.now : both(own.now, other.now);
    }
    const isSure = own.now === before || own.now.every(exists) || (operators.length === 1 && operators[0] === "||" && leaves(parts[1]));
    place.now = isSure || place.isChained ? own.now : both(before, own.now);
  }

  function redirected(list: readonly Redirection[], place: Place, depth: number): Called["input"] {
    let input: Called["input"];
    for (const redirection of list) {
      inside(redirection, { now: place.now }, depth, undefined);
      if (redirection.type === "HereDoc") {
        const { body, delimiter } = redirection;
        const isText = delimiter?.quoted === true || (body.parts ?? []).every((part) => part.type === "Literal" && isQuiet(part));
        input = isText && redirection.closing !== undefined ? { text: body.text } : "unknown";
        continue;
      }
      const target = redirection.target === undefined ? undefined : readArgument(redirection.target);
      if (target === undefined) continue;
      if (redirection.type === "HereString") input = isKnown(target) ? { text: target.value } : "unknown";
      else if (redirection.operator === "<") {
        input = "unknown";
        out.reads(target, place.now);
      } else if (!(/^[<>]&$/.test(redirection.operator) && /^(?:\d+-?|-)$/.test(target.value))) out.writes(target, place.now, {});
    }
    return input;
  }

  function simple(node: Command, place: Place, depth: number, given: Called["input"]): void {
    if (++commands > MOST_COMMANDS) return out.hides("it has too many commands");
    inside(node, { now: place.now }, depth, undefined);
    const input = redirected(node.redirects, place, depth) ?? given;
    for (const part of node.prefix) if (part.type === "Assignment") out.hides(hiddenByAssignment(part));
    if (node.name === undefined) return undefined;
    const args = node.args.map((word) => (word.type === "Word" ? readArgument(word) : { ...plain(word.text), variable: true }));
    return run([readArgument(node.name), ...args], input, place, depth);
  }

  function run(argv: readonly Argument[], input: Called["input"], place: Place, depth: number): void {
    const [first, ...args] = argv;
    if (first === undefined) return undefined;
    if (depth > DEEPEST) return out.hides("it is nested too deeply");
    if (!isKnown(first)) return out.hides(`${first.text} stands for a program that becomes known only when it runs`);
    const name = bareName(first.value);
    out.runs(first.value, name, args);
    if (name === "cd" || name === "pushd" || name === "popd") {
      const after = changed(name, args, place.now);
      place.now = place.isChained || after.every(exists) ? after : both(after, place.now);
      return undefined;
    }
    if (functions.has(name) || onlyAsks(name, args)) return undefined;
    const call: Called = { name, args, ...(input !== undefined && { input }) };
    const starts = startsOf(call);
    for (const start of starts ?? []) if (!("hidden" in start)) begin(start, input, place, depth + 1);
    out.during(argv, () => {
      for (const start of starts ?? []) if ("hidden" in start) out.hides(start.hidden);
      const effect = EFFECTS.get(name);
      if (effect !== undefined) effect(args, out.places(place.now), name);
      else if (starts === undefined) unknown(call, place, depth);
    });
    return undefined;
  }

  function begin(start: Exclude<Start, { readonly hidden: string }>, input: Called["input"], place: Place, depth: number): void {
    if ("script" in start) script(start.script, place.now, depth);
    else run(start.argv, input, place, depth);
  }

  /** A program that may run what its arguments say: each of them counts as the beginning of a command. */
  function unknown({ name, args, input }: Called, { now }: Place, depth: number): void {
    out.elsewhere(`${[name, ...args.slice(0, 1).map(({ text }) => text)].join(" ")} does not show what it writes`);
    for (const argument of args) out.mentions(argument, now);
    if (INTERPRETERS.has(name) || LEAVES.has(name)) return undefined;
    if (args.length > MOST_ARGUMENTS) return out.hides(`${name} has too many arguments`);
    for (const [index, argument] of args.entries()) {
      if (!isKnown(argument)) continue;
      const own = { name: bareName(argument.value), args: args.slice(index + 1), ...(input !== undefined && { input }) };
      out.runs(argument.value, own.name, own.args);
      if (INTERPRETERS.has(own.name) || LAUNCHERS.has(own.name)) run(args.slice(index), input, { now: [null] }, depth + 1);
      if (/\s/.test(argument.value) && nesting < DEEPEST) out.includes(shownBy(argument.value, isDirectory, nesting + 1).programs);
    }
    return undefined;
  }

  try {
    script(text, [""], 0);
  } catch {
    out.hides("it is nested too deeply");
  }
  return out.shown();
}

function startsOf(call: Called): readonly Start[] | undefined {
  if (call.name === "git") return gitStarts(call);
  if (LOADER.test(call.name)) return call.args.length === 0 ? undefined : [{ argv: call.args }];
  return (LAUNCHERS.get(call.name) ?? INTERPRETERS.get(call.name) ?? optionsThatRun)(call);
}

/** A well-known program that only says which one it is. */
function onlyAsks(name: string, args: readonly Argument[]): boolean {
  return args.length === 1 && /^--?(?:version|help|V)$/.test(args[0]?.value ?? "") && (INTERPRETERS.has(name) || LEAVES.has(name));
}

/** `cd x || exit 1` */
function leaves(node: SyntaxNode | undefined): boolean {
  if (node?.type === "BraceGroup") return leaves(node.body.commands.at(-1)?.command);
  return node?.type === "Command" && /^(?:exit|return)$/.test(node.name?.text ?? "");
}
