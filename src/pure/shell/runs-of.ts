import type { CommandObservedBody } from "../events/index.ts";
import { enclosing, outermost } from "./outermost.ts";
import { failsBy, scriptOf, vouches } from "./vouches.ts";

/** A command that was seen, and the number of the event that tells it. */
interface Seen {
  readonly seq: number;
  readonly body: CommandObservedBody;
}

/** Two programs of one process, one in place of the other, are told within that of each other. */
const SLACK_MS = 50;

/**
 * The runs of something among all commands that were seen: `some` without what they run themselves, and without a shell in whose text
 * they stand, which ends as its last word does: `sh -c "npm test | tail"`.
 */
export function runsOf(some: readonly Seen[], all: readonly Seen[]): readonly Seen[] {
  const around = enclosing(some, all);
  const own = some.filter((command) => !(around.has(command) && scriptOf(command.body.argv) !== undefined));
  return outermost(own, all).map((command) => withEnd(command, all));
}

/** A program that a process puts in its place ends as the process does: npm is a script, and becomes `node …/npm`. */
export function withEnd({ seq, body }: Seen, all: readonly Seen[]): Seen {
  let last = body;
  for (const { body: next } of all) {
    if (last.exitCode !== null || last.signal !== null || last.startedAt === null || last.durationMs === null) break;
    if (next === last || next.pid === undefined || next.pid !== last.pid || next.startedAt === null) continue;
    if (Math.abs(last.startedAt + last.durationMs - next.startedAt) <= SLACK_MS) last = next;
  }
  return { seq, body: { ...body, exitCode: last.exitCode, signal: last.signal } };
}

/** Whether a run passed; null: not known, also where a shell's end says nothing about what it ran. */
export function hasPassed(
  { argv, exitCode, signal }: CommandObservedBody,
  isWanted: (words: readonly string[]) => boolean,
): boolean | null {
  if (signal !== null) return false;
  if (exitCode === null || !vouches(argv, isWanted)) return null;
  const text = scriptOf(argv);
  if (exitCode !== 0 && text !== undefined && !failsBy(text, isWanted)) return null;
  return exitCode === 0;
}
