import type { RecordedShapes } from "./drift.ts";
import file from "./recorded-shapes.json" with { type: "json" };

/** Of one pin, as the file has them: kinds with their fields, and which of them, by number, each scenario showed. */
export interface StoredShapes {
  readonly kinds: readonly (readonly string[])[];
  readonly scenarios: Readonly<Record<string, readonly number[]>>;
}

/** What the fixtures have shown, by pin. The file is made of them by `npm run corpus`, because the package has no fixtures. */
export function recordedShapes(stored: Readonly<Record<string, StoredShapes>> = file): ReadonlyMap<string, RecordedShapes> {
  return new Map(Object.entries(stored).map(([id, shapes]) => [id, unpacked(shapes)]));
}

function unpacked({ kinds, scenarios }: StoredShapes): RecordedShapes {
  const seen = kinds.map(([kind = "", ...fields]) => ({ kind, fields: new Set(fields), scenarios: new Set<string>() }));
  for (const [scenario, numbers] of Object.entries(scenarios)) for (const number of numbers) seen[number]?.scenarios.add(scenario);
  return { kinds: new Map(seen.map(({ kind, ...rest }) => [kind, rest])) };
}
