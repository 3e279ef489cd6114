import type { HarnessEvent } from "../../pure/events/index.ts";

/** Every event of a run names the run's parent, unless it has a closer one: a tool's result belongs to its call. */
export async function* withParent<T>(
  events: AsyncGenerator<HarnessEvent, T>,
  runId: string,
  parentId: string | undefined,
): AsyncGenerator<HarnessEvent, T> {
  if (parentId === undefined) return yield* events;
  try {
    for (;;) {
      const { done, value } = await events.next();
      if (done) return value;
      yield childOf(value, runId, parentId);
    }
  } finally {
    await events.return(undefined as never);
  }
}

export function childOf<E extends HarnessEvent>(event: E, ownRun: string, parentId: string): E {
  const { type, runId, ...rest } = event;
  return event.parentId === undefined && runId === ownRun ? ({ type, runId, parentId, ...rest } as unknown as E) : event;
}
