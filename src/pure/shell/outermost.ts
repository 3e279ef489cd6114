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

/** The commands in which a command ran, nearest first, and those that its process was before. */
export function around<Command extends Observed>({ body }: Command, all: readonly Command[]): readonly Command[] {
  const isBefore = (each: CommandObservedBody) => each.startedAt !== null && body.startedAt !== null && each.startedAt <= body.startedAt;
  const pids = [...(body.pid === undefined ? [] : [body.pid]), ...climbing(all)(body)];
  return pids.flatMap((pid) => all.filter(({ body: each }) => each.pid === pid && isBefore(each) && !isSame(each, body)));
}

function isSame(one: CommandObservedBody, other: CommandObservedBody): boolean {
  return one === other || (one.startedAt === other.startedAt && one.argv === other.argv);
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
