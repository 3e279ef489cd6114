import type { AndOr, CommandNode, Pipeline, PipelineNode, Redirected, Statement } from "unbash";
import type { Operation } from "../events/index.ts";
import { type Effect, effectOf } from "./call.ts";
import type { Directory } from "./directory.ts";
import { readOf, within } from "./lines.ts";
import { movesWithin } from "./moves.ts";
import { programName } from "./program-name.ts";
import { readRedirections } from "./redirections.ts";
import { readSimpleCommand } from "./simple-command.ts";

/** What a piece of script does. Its directory may be known even if its operations are not. */
interface Outcome {
  /** `undefined`: some part is not certainly a file operation, so the whole is not. */
  readonly operations: readonly Operation[] | undefined;
  readonly directory: Directory;
}

export function readStatements(statements: readonly Statement[], start: Directory): Outcome {
  const operations: Operation[] = [];
  let isCertain = true;
  let directory = start;
  let isUnsure = false; // a `cd` may have failed: only the last statement's exit code is known
  for (const statement of statements) {
    // A background job runs in its own shell, so it does not change this one's directory.
    const outcome = statement.background ? { operations: undefined, directory } : readNode(statement.command, directory);
    isCertain &&= outcome.operations !== undefined;
    operations.push(...(outcome.operations ?? []));
    if (outcome.directory !== directory && statement !== statements.at(-1) && !leavesIfLost(statement.command)) isUnsure = true;
    directory = outcome.directory;
  }
  const last = statements.at(-1);
  if (isUnsure && last !== undefined && !last.background) directory = readNode(last.command, null).directory;
  return { operations: isCertain ? operations : undefined, directory };
}

function readNode(node: PipelineNode | AndOr, directory: Directory): Outcome {
  switch (node.type) {
    case "Command": {
      const { effect, neutral, directory: after } = readSimpleCommand(node, directory, false);
      return { operations: neutral || effect?.operations.length ? effect?.operations : undefined, directory: after };
    }
    case "AndOr":
      return readChain(node, directory);
    case "Pipeline":
      return readPipeline(node, directory);
    case "BraceGroup":
      return readStatements(node.body.commands, directory);
    case "Subshell":
      return { operations: readStatements(node.body.commands, directory).operations, directory };
    case "Redirected":
      return readRedirected(node, directory);
    default:
      return { operations: undefined, directory: movesWithin(node) ? null : directory };
  }
}

/** `{ … } 2>/dev/null`. Other redirections of a group are not handled. */
function readRedirected(node: Redirected, directory: Directory): Outcome {
  const outcome = readNode(node.command, directory);
  const redirections = readRedirections(node.redirects);
  const harmless = redirections !== undefined && redirections.input === undefined && redirections.writes.length === 0;
  return harmless ? outcome : { operations: undefined, directory: outcome.directory };
}

function readPipeline(node: Pipeline, directory: Directory): Outcome {
  const [first, ...rest] = node.commands;
  if (first === undefined) return { operations: undefined, directory };
  // The parts of a pipeline run in subshells, so a `cd` in one of them has no effect outside.
  const outcome = rest.length === 0 ? readNode(first, directory) : { operations: readStages(first, rest, directory), directory };
  // `!` inverts the exit code, and so the meaning of success.
  const isNegated = node.prefixes.some((prefix) => prefix.type === "Negation");
  return isNegated ? { operations: undefined, directory: outcome.directory } : outcome;
}

/** A source and its filters, or text that a stage writes to a file. */
function readStages(first: CommandNode, rest: readonly CommandNode[], directory: Directory): readonly Operation[] | undefined {
  const source = sourceOf(first, directory);
  if (source === undefined) return undefined;
  const operations = [...source.operations];
  const [read] = operations;
  let lines = operations.length === 1 ? source.lines : undefined;
  for (const stage of rest) {
    const filter = stage.type === "Command" ? readSimpleCommand(stage, directory, true).effect : undefined;
    if (filter === undefined) return undefined;
    operations.push(...filter.operations);
    // A filter that keeps some lines narrows the read; after one that reorders lines the numbers mean nothing.
    lines = lines && filter.lines && within(lines, filter.lines);
    if (lines !== undefined && read?.kind === "read") operations[0] = readOf(read.path, lines);
  }
  return operations.length > 0 ? operations : undefined;
}

function sourceOf(node: CommandNode, directory: Directory): Effect | undefined {
  if (node.type === "Command") return readSimpleCommand(node, directory, false).effect;
  const { operations } = readNode(node, directory);
  return operations && effectOf(operations);
}

/** Programs that hardly ever fail, so the command after `&&` runs. */
const SURE = new Set(["cd", "true", ":", "echo", "printf", "pwd", "export", "set", "mkdir"]);

/**
 * `a && b || c`. The operations are those of all parts. The directory depends on which parts run: after a `cd` that may or may not have
 * run, the shell's directory is unknown.
 */
function readChain(node: AndOr, start: Directory): Outcome {
  const operations: Operation[] = [];
  let isCertain = true;
  let directory = start;
  let surelyRuns = true;
  let isLost = false;
  for (const [i, part] of node.commands.entries()) {
    const isAlternative = i > 0 && node.operators[i - 1] === "||";
    const previous = nameOf(node.commands[i - 1]);
    if (isAlternative && previous === "cd" && leaves(part)) {
      // `cd x || exit 1`: after this the shell is in x.
      isCertain &&= part.type === "Command";
      continue;
    }
    // `cd a || …`: the author was not sure that `a` exists, so neither are we.
    isLost ||= isAlternative && previous === "cd";
    if (isAlternative && isLost) directory = null;
    surelyRuns &&= i === 0 || (!isAlternative && SURE.has(previous ?? ""));
    const outcome = readNode(part, directory);
    isCertain &&= outcome.operations !== undefined;
    operations.push(...(outcome.operations ?? []));
    if (outcome.directory === directory) continue;
    directory = surelyRuns || !isAlternative ? outcome.directory : null;
    isLost ||= !surelyRuns;
  }
  return { operations: isCertain ? operations : undefined, directory: isLost ? null : directory };
}

/** `cd x || exit 1`: whatever follows runs in x. */
function leavesIfLost(node: PipelineNode | AndOr): boolean {
  return node.type === "AndOr" && node.commands.some((part, i) => i > 0 && node.operators[i - 1] === "||" && leaves(part));
}

function nameOf(node: PipelineNode | undefined): string | undefined {
  return node?.type === "Command" && node.name !== undefined ? programName(node.name.text) : undefined;
}

function leaves(node: PipelineNode): boolean {
  if (node.type === "BraceGroup") {
    const last = node.body.commands.at(-1)?.command;
    return last !== undefined && last.type !== "AndOr" && leaves(last);
  }
  const name = nameOf(node);
  return name === "exit" || name === "return";
}
