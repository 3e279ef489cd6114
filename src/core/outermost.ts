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
