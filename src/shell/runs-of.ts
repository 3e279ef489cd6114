import type { CommandObservedBody } from "../core/observation.ts";
import { enclosing, outermost } from "../core/outermost.ts";
import { scriptOf, vouches } from "./vouches.ts";

/**
 * The runs of something among all commands that were seen: `some` without what they run themselves, and without a shell in whose text
 * they stand, which ends as its last word does: `sh -c "npm test | tail"`.
 */
export function runsOf<Command extends { readonly body: CommandObservedBody }>(
  some: readonly Command[],
  all: readonly Command[],
): readonly Command[] {
  const around = enclosing(some, all);
  const own = some.filter((command) => !(around.has(command) && scriptOf(command.body.argv) !== undefined));
  return outermost(own, all);
}

/** Whether a run passed; null: not known, also where a shell's end says nothing about what it ran. */
export function hasPassed(
  { argv, exitCode, signal }: CommandObservedBody,
  isWanted: (words: readonly string[]) => boolean,
): boolean | null {
  if (signal !== null) return false;
  if (exitCode === null || !vouches(argv, isWanted)) return null;
  return exitCode === 0;
}
