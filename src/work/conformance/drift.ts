import type { Shapes } from "./shapes.ts";

interface RecordedKind {
  readonly fields: ReadonlySet<string>;
  /** The fields in every scenario that showed the kind. */
  readonly always: ReadonlySet<string>;
  readonly scenarios: ReadonlySet<string>;
}

/** The shapes in an agent's fixtures, and the scenarios that showed them. */
export interface RecordedShapes {
  readonly kinds: ReadonlyMap<string, RecordedKind>;
}

/** How an agent's output differs from its recordings. */
export interface Drift {
  readonly newTypes: readonly string[];
  readonly newFields: readonly { readonly type: string; readonly fields: readonly string[] }[];
  /** Types that the recording of a scenario shows and no run of it does now. */
  readonly vanishedTypes: readonly string[];
  /** Fields that every recording of the type shows, and no run does now. */
  readonly vanishedFields: readonly { readonly type: string; readonly fields: readonly string[] }[];
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
  const vanishedFields = [...recorded.kinds].flatMap(([type, { always }]) => {
    const fields = now.get(type);
    const gone = fields === undefined ? [] : [...always].filter((field) => !fields.has(field)).sort();
    return gone.length === 0 ? [] : [{ type, fields: gone }];
  });
  return {
    newTypes: [...now.keys()].filter((kind) => !recorded.kinds.has(kind)).sort(),
    newFields: newFields.sort((a, b) => a.type.localeCompare(b.type)),
    vanishedTypes: vanished.map(([kind]) => kind).sort(),
    vanishedFields: vanishedFields.sort((a, b) => a.type.localeCompare(b.type)),
  };
}
