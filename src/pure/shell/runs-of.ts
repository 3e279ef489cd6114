import type { CommandObservedBody } from "../events/index.ts";
import { enclosing, outermost } from "./outermost.ts";
import { failsBy, scriptOf, vouches } from "./vouches.ts";

/** An observed command, and the number of its event. */
interface Seen {
  readonly seq: number;
  readonly body: CommandObservedBody;
}

/** When a process replaces its program, the two observations are at most this far apart. */
const SLACK_MS = 50;

/**
 * The distinct runs among observed commands: `some` without commands that others of them started, and without shells whose text
 * contains them, because a shell ends like its last command: `sh -c "npm test | tail"`.
 */
export function runsOf(some: readonly Seen[], all: readonly Seen[]): readonly Seen[] {
  const around = enclosing(some, all);
  const own = some.filter((command) => !(around.has(command) && scriptOf(command.body.argv) !== undefined));
  return outermost(own, all).map((command) => withEnd(command, all));
}

/** A program that replaces itself ends like its process: npm is a script and becomes `node …/npm`. */
export function withEnd({ seq, body }: Seen, all: readonly Seen[]): Seen {
  let last = body;
  for (const { body: next } of all) {
    if (last.exitCode !== null || last.signal !== null || last.startedAt === null || last.durationMs === null) break;
    if (next === last || next.pid === undefined || next.pid !== last.pid || next.startedAt === null) continue;
    if (Math.abs(last.startedAt + last.durationMs - next.startedAt) <= SLACK_MS) last = next;
  }
  const { exitCode, signal, startedAt, durationMs } = last;
  const isLonger = last !== body && startedAt !== null && body.startedAt !== null && durationMs !== null;
  return { seq, body: { ...body, exitCode, signal, ...(isLonger && { durationMs: startedAt - (body.startedAt ?? 0) + durationMs }) } };
}

/** Whether a run passed. Null: not known, for example if a shell's exit code says nothing about the command in it. */
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
