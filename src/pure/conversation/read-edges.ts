import { firstAfter } from "./pieces.ts";
import { readOnlyMap } from "./read-only-map.ts";
import type { Entry, Store } from "./store.ts";

/** The edges of a store at one version. */
export function readEdges(store: Store, version: number, size: number): ReadonlyMap<string, readonly string[]> {
  function get(id: string): readonly string[] | undefined {
    const entry = store.nodes.get(id);
    return entry === undefined ? undefined : targetsAt(entry, version);
  }

  function* entries(): Generator<[string, readonly string[]]> {
    for (let i = 0; i < size; i++) {
      const entry = store.sources[i];
      if (entry !== undefined) yield [entry.id, targetsAt(entry, version) ?? []];
    }
  }

  return readOnlyMap(size, get, entries);
}

function targetsAt(entry: Entry, version: number): readonly string[] | undefined {
  const targets = outAt(entry, version);
  if (targets.length === 0) return undefined;
  entry.shown ??= {};
  const { shown } = entry;
  if (shown.targets?.length !== targets.length) shown.targets = Object.freeze(targets.map(({ id }) => id));
  return shown.targets;
}

/** The nodes that an entry led to at one version. */
export function outAt({ out }: Entry, version: number): readonly Entry[] {
  if (out === undefined) return [];
  const all = Array.isArray(out) ? out : [out];
  return all.slice(
    0,
    firstAfter(all, version, ({ at }) => at),
  );
}
