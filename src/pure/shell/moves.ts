import { forEachChild, type SyntaxNode } from "unbash";
import type { Argument } from "./argument.ts";
import { changeDirectory, type Directory } from "./directory.ts";
import { programName } from "./program-name.ts";

/** Whether a text could change the shell's directory. Sourced scripts are trusted not to: they are mostly virtual environments. */
export function mentionsMove(text: string): boolean {
  return /\b(?:cd|pushd|popd)\b/.test(text);
}

/** The shell's directory after this program has run in it. */
export function directoryAfter(program: string | undefined, args: readonly Argument[], directory: Directory): Directory {
  if (program === "cd") return changeDirectory(args, directory);
  if (program === "pushd" || program === "popd") return null;
  if (program === "eval" && args.some((argument) => mentionsMove(argument.text))) return null;
  return directory;
}

/** Whether a loop, condition or function contains a command that changes the shell's own directory. */
export function movesWithin(node: SyntaxNode): boolean {
  if (node.type === "Subshell" || node.type === "CommandExpansion" || node.type === "ProcessSubstitution") return false;
  if (node.type === "Command" && mentionsMove(programName(node.name?.text ?? "") ?? "")) return true;
  if (node.type === "Command" && /^(?:eval|command|builtin)$/.test(node.name?.text ?? "")) {
    return node.args.some((word) => mentionsMove(word.text));
  }
  let found = false;
  forEachChild(node, (child) => {
    found ||= movesWithin(child);
  });
  return found;
}
