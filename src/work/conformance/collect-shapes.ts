import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pins } from "./agents/index.ts";
import { majorOf } from "./find-cli.ts";
import { fixtureOf } from "./fixture-of.ts";
import type { Pin, Pins } from "./pin.ts";
import type { StoredShapes } from "./recorded-shapes.ts";
import { type Shapes, shapeCollector } from "./shapes.ts";

interface Fixture {
  readonly name: string;
  readonly folder: string;
  readonly meta: { readonly version?: string; readonly provenance?: string; readonly earlier?: boolean };
}

/** The shapes in a folder of recorded fixtures, by pin: the content of recorded-shapes.json. */
export function collectShapes(fixtures: string, of: Pins = pins): Record<string, StoredShapes> {
  const entries = [...of].map(([id, pin]) => {
    const { id: agent, ending } = fixtureOf(id, pin);
    const own = fixturesOf(join(fixtures, agent)).filter((fixture) => isOf(pin, fixture));
    return [
      id,
      stored(own.map(({ name, folder }) => [ending === "" ? name : name.replace(new RegExp(`${ending}$`), ""), shapesIn(folder)])),
    ];
  });
  return Object.fromEntries(entries);
}

/** Whether the fixture shows the agent behind the protocol, in one of the pin's versions. */
function isOf({ inside, majors }: Pin, { name, meta }: Fixture): boolean {
  if (inside !== undefined && !name.startsWith(`${inside}-`) && !name.endsWith(`-${inside}`)) return false;
  return majors === undefined || majors.includes(majorOf(/\d[\w.]*/.exec(meta.version ?? "")?.[0] ?? ""));
}

function fixturesOf(folder: string): readonly Fixture[] {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names
    .filter((name) => existsSync(join(folder, name, "meta.json")))
    .map((name) => ({
      name,
      folder: join(folder, name),
      meta: JSON.parse(readFileSync(join(folder, name, "meta.json"), "utf8")) as Fixture["meta"],
    }))
    .filter(({ meta }) => meta.provenance === "recorded" && meta.earlier !== true); // drift compares the pinned version only
}

function shapesIn(folder: string): Shapes {
  const collector = shapeCollector();
  for (const line of readFileSync(join(folder, "raw.jsonl"), "utf8").split("\n")) collector.see(line);
  return collector.shapes;
}

function stored(seen: readonly (readonly [name: string, shapes: Shapes])[]): StoredShapes {
  const fields = new Map<string, Set<string>>();
  for (const [, shapes] of seen) for (const [kind, own] of shapes) fields.set(kind, new Set([...(fields.get(kind) ?? []), ...own]));
  const kinds = [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
  const numbers = new Map(kinds.map(([kind], index) => [kind, index]));
  const isAlways = (kind: string, field: string) => seen.every(([, shapes]) => shapes.get(kind)?.has(field) ?? true);
  return {
    kinds: kinds.map(([kind, own]) => [kind, ...[...own].sort()]),
    always: kinds.map(([kind, own]) => [...own].sort().flatMap((field, place) => (isAlways(kind, field) ? [place] : []))),
    scenarios: Object.fromEntries(
      seen.map(([name, shapes]) => [name, [...shapes.keys()].flatMap((kind) => numbers.get(kind) ?? []).sort((a, b) => a - b)]),
    ),
  };
}
