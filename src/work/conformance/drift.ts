import type { Shapes } from "./shapes.ts";

/** The shapes in an agent's fixtures, and the scenarios that showed them. */
export interface RecordedShapes {
  readonly kinds: ReadonlyMap<string, { readonly fields: ReadonlySet<string>; readonly scenarios: ReadonlySet<string> }>;
}

/** How an agent's output differs from its recordings. */
export interface Drift {
  readonly newTypes: readonly string[];
  readonly newFields: readonly { readonly type: string; readonly fields: readonly string[] }[];
  /** Types that the recording of a scenario shows and no run of it does now. */
  readonly vanishedTypes: readonly string[];
}

/** `seen`: the shapes of every scenario that ran to its end. Null if there is no recording to compare with. */
export function driftOf(recorded: RecordedShapes | undefined, seen: ReadonlyMap<string, Shapes>): Drift | null {
  if (recorded === undefined || recorded.kinds.size === 0) return null;
  const now = new Map<string, Set<string>>();
  for (const shapes of seen.values()) {
    for (const [kind, fields] of shapes) now.set(kind, new Set([...(now.get(kind) ?? []), ...fields]));
  }
  const newFields = [...now].flatMap(([type, fields]) => {
    const known = recorded.kinds.get(type)?.fields;
    const fresh = known === undefined ? [] : [...fields].filter((field) => !known.has(field)).sort();
    return fresh.length === 0 ? [] : [{ type, fields: fresh }];
  });
  const vanished = [...recorded.kinds].filter(
    ([kind, { scenarios }]) => !now.has(kind) && [...scenarios].some((scenario) => seen.has(scenario)),
  );
  return {
    newTypes: [...now.keys()].filter((kind) => !recorded.kinds.has(kind)).sort(),
    newFields: newFields.sort((a, b) => a.type.localeCompare(b.type)),
    vanishedTypes: vanished.map(([kind]) => kind).sort(),
  };
}
