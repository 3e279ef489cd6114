import type { RecordedShapes } from "./drift.ts";
import file from "./recorded-shapes.json" with { type: "json" };

/** The stored form for one pin: kinds with their fields, those that every recording shows, and the numbers of each scenario's kinds. */
export interface StoredShapes {
  readonly kinds: readonly (readonly string[])[];
  /** For each kind, the places in its list of the fields that every scenario with this kind showed. */
  readonly always: readonly (readonly number[])[];
  readonly scenarios: Readonly<Record<string, readonly number[]>>;
}

/** The shapes in the fixtures, by pin. `npm run corpus` writes the file, because the package does not include the fixtures. */
export function recordedShapes(stored: Readonly<Record<string, StoredShapes>> = file): ReadonlyMap<string, RecordedShapes> {
  return new Map(Object.entries(stored).map(([id, shapes]) => [id, unpacked(shapes)]));
}

function unpacked({ kinds, always, scenarios }: StoredShapes): RecordedShapes {
  const seen = kinds.map(([kind = "", ...fields], index) => ({
    kind,
    fields: new Set(fields),
    always: new Set(always[index]?.flatMap((place) => fields[place] ?? [])),
    scenarios: new Set<string>(),
  }));
  for (const [scenario, numbers] of Object.entries(scenarios)) for (const number of numbers) seen[number]?.scenarios.add(scenario);
  return { kinds: new Map(seen.map(({ kind, ...rest }) => [kind, rest])) };
}
