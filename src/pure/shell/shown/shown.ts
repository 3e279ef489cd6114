import { type Command, forEachChild, parse, type Redirection, type Statement, type SyntaxNode, type Word } from "unbash";
import { type Argument, isQuiet } from "../argument.ts";
import { categoryOf } from "../category.ts";
import { isTooLong } from "../classify.ts";
import { bareName, isKnown, namesOf, plain } from "./arguments.ts";
import { collector, type Shown } from "./collector.ts";
import { both, changed, type Directories } from "./directories.ts";
import { EFFECTS } from "./effects.ts";
import { hiddenByAssignment } from "./environment.ts";
import { assignedIn, evaluatesIn, firstIn } from "./evaluations.ts";
import { foundBy } from "./found-by.ts";
import { gitStarts } from "./git.ts";
import { INTERPRETERS } from "./interpreters.ts";
import { LAUNCHERS, LOADER } from "./launchers.ts";
import { contactsOthers } from "./network.ts";
import { optionsThatRun } from "./options-that-run.ts";
import { assign, forget, fork, join, knownAt, type Place, startAt, unite } from "./place.ts";
import { onlyBash } from "./posix.ts";
import type { Called, Start } from "./start.ts";
import { expanded } from "./words.ts";

/** Commands in commands: `sh -c "sh -c …"`. */
const DEEPEST = 8;
const MOST_COMMANDS = 1_000;
/** An unknown program with more arguments is not searched for commands. */
const MOST_ARGUMENTS = 200;
/** A loop over more words is not followed word by word. */
const MOST_WORDS = 50;

/** Programs that take their own words, although they write where their text does not show. */
const LEAVES =
  namesOf(`npm pnpm yarn bun cargo go rustc tsc eslint prettier biome jest vitest mocha pytest ruff black mypy pip pip3 gcc g++ cc c++ clang
  clang++ javac mvn gradle dotnet apt apt-get brew gem composer gh systemctl journalctl`);

/** Elsewhere, a program of the same name may be anything. */
const SYSTEM = /^(?:[^/]*|(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/s?bin\/[^/]*)$/;

/** What is known about the place where a command runs. */
export interface Around {
  readonly isDirectory?: (path: string) => boolean;
  /** Its directory and the home directory, absolute. */
  readonly directory?: string | undefined;
  readonly home?: string | undefined;
}

/**
 * What a command line runs, writes and reads, as far as its text shows: behind launchers, in shells and in `$(…)`. What the text does not
 * show is named, so that a rule that forbids something can refuse it. Not every command need run. Never throws.
 */
export function shownBy(text: string, around: Around = {}, nesting = 0): Shown {
  const out = collector();
  /** Functions that may change directory. */
  const moving = new Set<string>();
  let hasUnset = false;
  const { isDirectory = () => false } = around;
  let commands = 0;
  const exists = (directory: string | null) => directory !== null && isDirectory(directory);
  const words = (word: Word, place: Place) => expanded(word, knownAt(place, around));
  const one = (word: Word, place: Place): Argument => {
    const found = words(word, place);
    return found.length === 1 ? (found[0] as Argument) : { ...plain(word.value), text: word.text, variable: true, splits: true };
  };

  function script(source: string, place: Place, depth: number, isPosix = false): void {
    if (depth > DEEPEST) return out.hides("it is nested too deeply");
    if (isTooLong(source)) return out.hides("it is too long");
    const read = parse(source);
    if ((read.errors?.length ?? 0) > 0) return out.hides("it cannot be parsed");
    hasUnset ||= /\bunset\b/.test(source);
    if (isPosix) out.hides(onlyBash(read));
    defined(read, place);
    statements(read.commands, place, depth);
    return undefined;
  }

  /** What a function sets is not known anywhere: it may run at any time. What is constant keeps its first value. */
  function defined(node: SyntaxNode, place: Place): void {
    if (node.type === "Function") for (const name of assignedIn(node.body).keys()) place.lost.add(name);
    if (node.type === "Command" && isConstant(node)) for (const name of assignedIn(node).keys()) place.lost.add(name);
    forEachChild(node, (child) => defined(child, place));
  }

  function statements(list: readonly Statement[], place: Place, depth: number): void {
    for (const { command, background } of list) visit(command, background ? fork(place) : place, depth, undefined);
  }

  /** `input`: what the node reads, if not the input of the whole. */
  function visit(node: SyntaxNode, place: Place, depth: number, input: Called["input"]): void {
    if (node.type === "ArithmeticFor") for (const name of firstIn(node.initialize)) assign(place, name, "number");
    out.hides(evaluatesIn(node, knownAt(place, around)));
    if (node.type === "TestCommand" || node.type === "ArithmeticCommand") forget(place, assignedIn(node), true);
    switch (node.type) {
      case "Command":
        return simple(node, place, depth, input);
      case "Pipeline": {
        let given = input;
        for (const part of node.commands) {
          visit(part, node.commands.length > 1 ? fork(place) : place, depth, given);
          given = part.type === "Command" ? foundBy(part, given, (word) => words(word, place)) : "unknown";
        }
        return undefined;
      }
      case "AndOr":
        return chain(node.commands, node.operators, place, depth, input);
      case "Subshell":
        return statements(node.body.commands, fork(place), depth);
      case "Coproc":
        return inside(node, fork(place), depth, input);
      case "Redirected": {
        const own = redirected(node.redirects, place, depth);
        return visit(node.command, place, depth, own ?? input);
      }
      case "Function": {
        const name = node.name.text;
        if (isTaken(name)) out.hides(`${name} gets another meaning`);
        const own = startAt([null], place.lost);
        own.functions = new Set(place.functions).add(name);
        const before = own.now;
        out.repeatedly(() => inside(node, own, depth, undefined));
        if (own.now !== before) moving.add(name);
        place.functions.add(name);
        return undefined;
      }
      case "While":
      case "For":
      case "Select":
      case "ArithmeticFor":
        return out.repeatedly(() => repeated(node, place, depth, input));
      case "If":
      case "Case": {
        const before = fork(place);
        forEachChild(node, (part) => {
          const own = fork(place);
          visit(part, own, depth, input);
          unite(place, own);
        });
        if (place.now === before.now) return undefined;
        place.now = both(before.now, place.now);
        return undefined;
      }
      default:
        return inside(node, place, depth, input);
    }
  }

  function repeated(
    node: Extract<SyntaxNode, { type: "While" | "For" | "Select" | "ArithmeticFor" }>,
    place: Place,
    depth: number,
    input: Called["input"],
  ): void {
    const own = fork(place);
    forget(own, assignedIn(node));
    const list = node.type === "For" ? node.wordlist?.flatMap((word) => words(word, place)) : undefined;
    const isShown =
      list?.every((each) => !each.variable && !each.runs && !/[!@+*?]\(/.test(each.value)) === true && list.length <= MOST_WORDS;
    const before = own.now;
    const rounds = isShown && node.type === "For" && list !== undefined && !assignedIn(node.body).has(node.name.text) ? list : [undefined];
    for (const each of rounds) {
      if (each !== undefined && node.type === "For" && !each.home)
        assign(own, node.name.text, { text: each.value, ...(each.splits && /[*?[]/.test(each.value) && { isGlob: true as const }) });
      inside(node, own, depth, input);
    }
    const isMoved = own.now !== before;
    if (isMoved) inside(node, { ...own, now: [null] }, depth, input); // the next round starts there
    forget(place, assignedIn(node));
    if (isMoved) place.now = both(before, own.now);
  }

  function inside(node: SyntaxNode, place: Place, depth: number, input: Called["input"]): void {
    forEachChild(node, (child) => {
      if (child.type === "CommandExpansion" || child.type === "ProcessSubstitution" || child.type === "ArithmeticCommandExpansion") {
        if (child.script === undefined) out.hides("it cannot be parsed");
        inside(child, fork(place), depth + 1, undefined);
      } else if (child.type === "Statement") visit(child.command, child.background ? fork(place) : place, depth, input);
      else visit(child, place, depth, input);
    });
  }

  /** After `cd x &&` the directory is x, after `cd x ||` it is not. Of the variables, only what no part changes stays known. */
  function chain(parts: readonly SyntaxNode[], operators: readonly string[], place: Place, depth: number, input: Called["input"]): void {
    const own = fork(place);
    const after: Place[] = [];
    let [passed, failed]: [Directories, Directories] = [place.now, place.now];
    let [isMoved, isMixed] = [false, false];
    for (const [index, part] of parts.entries()) {
      const isOr = operators[index - 1] === "||";
      const from = isOr ? failed : passed;
      const start = from.length === 0 ? place.now : from;
      isMixed ||= isOr;
      if (isMixed) for (const each of [place, ...after]) join(own, each);
      const one: Place = { ...own, now: start, isChained: part.type === "Command" };
      visit(part, one, depth, input);
      own.values = one.values;
      isMoved ||= one.now !== start;
      const [yes, no] = leaves(part) ? [[], []] : [one.now, one.failed ?? one.now];
      passed = isOr ? both(passed, yes) : yes;
      failed = isOr || index === 0 ? no : both(failed, no);
      after.push(fork(own));
    }
    const [first, ...rest] = after;
    if (first !== undefined) for (const each of rest) join(first, each);
    place.values = first?.values ?? place.values;
    const ends = both(passed, failed);
    if ((isMoved || failed.length === 0) && ends.length > 0) place.now = ends;
  }

  function redirected(list: readonly Redirection[], place: Place, depth: number): Called["input"] {
    let input: Called["input"];
    const to = out.places(place.now);
    for (const redirection of list) {
      inside(redirection, fork(place), depth, undefined);
      if (redirection.type === "HereDoc") {
        const { body, delimiter } = redirection;
        const isText = delimiter?.quoted === true || (body.parts ?? []).every((part) => part.type === "Literal" && isQuiet(part));
        input = isText && redirection.closing !== undefined ? { text: body.text } : "unknown";
        continue;
      }
      const target = redirection.target === undefined ? undefined : one(redirection.target, place);
      if (target === undefined) continue;
      if (redirection.type === "HereString") input = isKnown(target) ? { text: target.value } : "unknown";
      else if (redirection.operator === "<") {
        input = "unknown";
        to.reads(target);
      } else if (!(/^[<>]&$/.test(redirection.operator) && /^(?:\d+-?|-)$/.test(target.value))) {
        to.writes(target, {});
        if (redirection.operator.startsWith("<")) to.reads(target);
      }
    }
    return input;
  }

  function simple(node: Command, place: Place, depth: number, given: Called["input"]): void {
    if (++commands > MOST_COMMANDS) return out.hides("it has too many commands");
    inside(node, fork(place), depth, undefined);
    const input = redirected(node.redirects, place, depth) ?? given;
    const before = fork(place);
    const isRead = node.name?.text === "read";
    forget(place, assignedIn(node), true);
    for (const part of node.prefix) if (part.type === "Assignment" && !(isRead && part.name === "IFS")) out.hides(hiddenByAssignment(part));
    for (const part of node.name === undefined
      ? node.prefix
      : /^(?:export|declare|typeset|local|readonly)$/.test(node.name.text)
        ? node.args
        : [])
      if (part.type === "Assignment" && part.value.type === "Word" && part.index === undefined && !part.append) {
        const value = one(part.value, before);
        const isText = !value.variable && !value.runs && !value.home;
        assign(place, part.name, isText ? { text: value.value } : assignedIn(part).get(part.name));
      }
    if (node.name === undefined) return undefined;
    const args = node.args.flatMap((word) => (word.type === "Word" ? words(word, place) : [assignment(word.text, word.value, before)]));
    return run([...words(node.name, place), ...args], input, place, depth, node.redirects.length > 0 ? "after redirections" : "by name");
  }

  /** `export A=b`: what is behind the equals sign is not split. */
  function assignment(text: string, value: Extract<Command["args"][number], { type: "Assignment" }>["value"], place: Place): Argument {
    const isShown = value.type === "Word" && isKnown(one(value, place));
    return { ...plain(text), variable: !isShown };
  }

  /** `how`: a function is only called by its name; if a redirection fails, nothing is. */
  function run(
    argv: readonly Argument[],
    input: Called["input"],
    place: Place,
    depth: number,
    how: "by name" | "after redirections" | "by another",
  ): void {
    const [first, ...args] = argv;
    if (first === undefined) return undefined;
    if (depth > DEEPEST) return out.hides("it is nested too deeply");
    if (!isKnown(first) || first.home) return out.hides(`${first.text} stands for a program that becomes known only when it runs`);
    const name = bareName(first.value);
    out.runs(first.value, name, args);
    if (moving.has(first.value)) place.now = [null];
    hasUnset ||= name === "unset";
    if (how !== "by another" && !hasUnset && place.functions.has(first.value)) return undefined;
    if (first.value === "cd" || first.value === "pushd" || first.value === "popd") {
      const after = changed(name, args, place.now);
      const isSure = how === "by name" && after.every(exists) && !out.mayChange();
      place.failed = isSure ? [] : place.now;
      place.now = place.isChained ? after : both(after, place.failed);
      return undefined;
    }
    if (onlyAsks(name, args)) return undefined;
    const call: Called = { name, args, ...(input !== undefined && { input }) };
    const starts = startsOf(call);
    for (const start of starts ?? []) if (!("hidden" in start)) begin(start, call, place, depth + 1);
    if (name === "source" || name === ".") place.values.clear();
    out.during(argv, () => {
      if (contactsOthers(name, args)) out.places(place.now).connects();
      if (downloads(name, args)) out.contacts(`${name} may download a program; use one that is installed`);
      for (const start of starts ?? []) if ("hidden" in start) out.hides(start.hidden);
      const effect = SYSTEM.test(first.value) ? EFFECTS.get(name) : undefined;
      if (effect !== undefined) effect(args, out.places(place.now), name);
      else if (starts === undefined || !SYSTEM.test(first.value) || starts.some((start) => "hidden" in start))
        unknown(call, first.value, place, depth);
    });
    return undefined;
  }

  /** Only builtins of this shell can change its directory and its variables. */
  function begin(start: Exclude<Start, { readonly hidden: string }>, { name, input }: Called, place: Place, depth: number): void {
    const own = /^(?:command|builtin)$/.test(name) ? place : "argv" in start && start.isAway ? startAt([null]) : fork(place);
    if ("script" in start) {
      if (start.isHere) script(start.script, place, depth);
      else script(start.script, startAt(start.isLater ? [null] : place.now), depth, start.isPosix);
    } else if (/^g?(?:find|xargs)$/.test(name)) out.repeatedly(() => run(start.argv, input, own, depth, "by another"));
    else run(start.argv, input, own, depth, "by another");
  }

  /** A program that may run what its arguments say: each of them counts as the beginning of a command. */
  function unknown({ name, args, input }: Called, written: string, { now }: Place, depth: number): void {
    const text = [name, ...args.slice(0, 1).map((each) => each.text)].join(" ");
    const to = out.places(now);
    to.elsewhere(`${text} does not show what it writes`);
    to.unread(`${text} does not show what it reads`);
    for (const argument of args) out.mentions(argument, now);
    if (INTERPRETERS.has(name) || LEAVES.has(name)) return undefined;
    const isOwn = written.includes("/") || ["test", "build", "file"].includes(categoryOf([name, ...args.map(({ value }) => value)]));
    if (!isOwn) out.contacts(`${name} does not show whether it contacts other machines`);
    if (args.length > MOST_ARGUMENTS) return out.hides(`${name} has too many arguments`);
    for (const [index, argument] of args.entries()) {
      if (!isKnown(argument)) continue;
      const own = { name: bareName(argument.value), args: args.slice(index + 1) };
      out.runs(argument.value, own.name, own.args);
      if (INTERPRETERS.has(own.name) || LAUNCHERS.has(own.name)) run(args.slice(index), input, startAt([null]), depth + 1, "by another");
      if (/\s/.test(argument.value) && nesting < DEEPEST) out.includes(shownBy(argument.value, around, nesting + 1).programs);
    }
    return undefined;
  }

  try {
    script(text, startAt([""]), 0);
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

function isTaken(name: string): boolean {
  return EFFECTS.has(name) || LAUNCHERS.has(name) || INTERPRETERS.has(name);
}

/** `readonly x=1` and `declare -r x=1` */
function isConstant({ name, args }: Command): boolean {
  return (
    name?.text === "readonly" || (/^(?:declare|typeset|local)$/.test(name?.text ?? "") && args.some(({ text }) => /^-\w*r/.test(text)))
  );
}

/** `npx x` runs what is installed, and downloads what is not. */
function downloads(name: string, args: readonly Argument[]): boolean {
  const isPackaged = /^(?:npx|bunx|pnpx)$/.test(name) || (/^(?:npm|bun)$/.test(name) && /^(?:exec|x)$/.test(args[0]?.value ?? ""));
  return isPackaged && !args.some(({ value }) => /^--no(?:-install)?$/.test(value));
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
