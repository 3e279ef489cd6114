import { AsyncLocalStorage } from "node:async_hooks";

const guards = new AsyncLocalStorage<(place: string) => string | undefined>();

/** Runs a tool whose every use of a file is judged at that moment, whatever links were made since the call was allowed. */
export function guarded<T>(guard: (place: string) => string | undefined, work: () => T): T {
  return guards.run(guard, work);
}

/** Why the running call may not use this place: a path from the root, without links. */
export function refusalOf(place: string): string | undefined {
  return guards.getStore()?.(place);
}
