import type { CommandObservedBody } from "../events/index.ts";

interface Told {
  readonly body: CommandObservedBody;
}

/** Longer chains of processes are a circle: numbers are used again. */
const DEEPEST = 100;

/** Those of `some` that run in no other of them, by way of all commands that were seen: `npm test` runs node, which runs the tests. */
export function outermost<Command extends Told>(some: readonly Command[], all: readonly Told[]): readonly Command[] {
  const above = climbing(all);
  const wanted = new Set(some.flatMap(({ body }) => (body.pid === undefined ? [] : [body.pid])));
  return some.filter(({ body }) => !above(body).some((pid) => wanted.has(pid)));
}

/** Those of `some` in which another of them runs. */
export function enclosing<Command extends Told>(some: readonly Command[], all: readonly Told[]): ReadonlySet<Command> {
  const above = climbing(all);
  const around = new Set(some.flatMap(({ body }) => above(body)));
  return new Set(some.filter(({ body }) => body.pid !== undefined && around.has(body.pid)));
}

/** The numbers of the processes that a command runs in, the nearest first. */
function climbing(all: readonly Told[]): (body: CommandObservedBody) => readonly number[] {
  const parents = new Map(all.map(({ body }) => [body.pid, body.ppid]));
  return ({ pid, ppid }) => {
    const found: number[] = [];
    for (let at = ppid, depth = 0; at !== undefined && depth < DEEPEST; depth++, at = parents.get(at)) if (at !== pid) found.push(at);
    return found;
  };
}
