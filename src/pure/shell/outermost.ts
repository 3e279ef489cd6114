import type { CommandObservedBody } from "../events/index.ts";

interface Observed {
  readonly body: CommandObservedBody;
}

/** A longer chain of processes is a cycle, because process ids are reused. */
const DEEPEST = 100;

/** The commands of `some` that no other one of them started, directly or not: `npm test` starts node, which starts the tests. */
export function outermost<Command extends Observed>(some: readonly Command[], all: readonly Observed[]): readonly Command[] {
  const above = climbing(all);
  const wanted = new Set(some.flatMap(({ body }) => (body.pid === undefined ? [] : [body.pid])));
  return some.filter(({ body }) => !above(body).some((pid) => wanted.has(pid)));
}

/** The commands of `some` that started another one of them, directly or not. */
export function enclosing<Command extends Observed>(some: readonly Command[], all: readonly Observed[]): ReadonlySet<Command> {
  const above = climbing(all);
  const around = new Set(some.flatMap(({ body }) => above(body)));
  return new Set(some.filter(({ body }) => body.pid !== undefined && around.has(body.pid)));
}

/** The ids of the processes in which a command runs, nearest first. */
function climbing(all: readonly Observed[]): (body: CommandObservedBody) => readonly number[] {
  const parents = new Map(all.map(({ body }) => [body.pid, body.ppid]));
  return ({ pid, ppid }) => {
    const found: number[] = [];
    for (let at = ppid, depth = 0; at !== undefined && depth < DEEPEST; depth++, at = parents.get(at)) if (at !== pid) found.push(at);
    return found;
  };
}
