import type { CommandObservedBody } from "./observation.ts";

interface Told {
  readonly body: CommandObservedBody;
}

/** Longer chains of processes are a circle: numbers are used again. */
const DEEPEST = 100;

/** Those of `some` that run in no other of them, by way of all commands that were seen: `npm test` runs node, which runs the tests. */
export function outermost<Command extends Told>(some: readonly Command[], all: readonly Told[]): readonly Command[] {
  const parents = new Map(all.map(({ body }) => [body.pid, body.ppid]));
  const wanted = new Set(some.flatMap(({ body }) => (body.pid === undefined ? [] : [body.pid])));
  return some.filter(({ body }) => {
    let at = body.ppid;
    for (let depth = 0; at !== undefined && depth < DEEPEST; depth++, at = parents.get(at)) {
      if (at !== body.pid && wanted.has(at)) return false;
    }
    return true;
  });
}

/** Those of `some` in which another of them runs. */
export function enclosing<Command extends Told>(some: readonly Command[], all: readonly Told[]): ReadonlySet<Command> {
  const parents = new Map(all.map(({ body }) => [body.pid, body.ppid]));
  const above = new Set<number>();
  for (const { body } of some) {
    let at = body.ppid;
    for (let depth = 0; at !== undefined && depth < DEEPEST; depth++, at = parents.get(at)) if (at !== body.pid) above.add(at);
  }
  return new Set(some.filter(({ body }) => body.pid !== undefined && above.has(body.pid)));
}
