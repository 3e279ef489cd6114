import { HarnessError } from "../../../pure/base/index.ts";
import type { Case, CasePlace } from "./case.ts";

export interface Selection {
  readonly only?: readonly string[];
  /** `category=ui`: a condition on the metadata. Several with the same name are alternatives. */
  readonly where?: readonly string[];
  readonly sample?: number;
  readonly seed?: number | string;
}

export function selector({ only, where = [] }: Selection): (row: Case) => boolean {
  const ids = only === undefined ? undefined : new Set(only);
  const wanted = new Map<string, Set<string>>();
  for (const condition of where) {
    const equals = condition.indexOf("=");
    if (equals < 1)
      throw new HarnessError("usage", `\`where\` takes name=value, such as category=ui. Found ${JSON.stringify(condition)}.`, {
        option: "where",
      });
    const name = condition.slice(0, equals);
    const values = wanted.get(name) ?? new Set<string>();
    wanted.set(name, values.add(condition.slice(equals + 1)));
  }
  return (row) => (ids === undefined || ids.has(row.id)) && [...wanted].every(([name, values]) => says(row.metadata, name, values));
}

/** Throws if `only` names a case that does not exist: a misspelled id must not become an empty evaluation. */
export function checkFound(places: readonly CasePlace[], { only = [], where = [] }: Selection, path: string): void {
  const found = new Set(places.map(({ id }) => id));
  const missing = only.filter((id) => !found.has(id));
  if (missing.length > 0)
    throw new HarnessError(
      "usage",
      `${path} has no case ${missing.map((id) => JSON.stringify(id)).join(", ")}${where.length > 0 ? " that `where` selects" : ""}.`,
      { option: "only" },
    );
  if (places.length === 0)
    throw new HarnessError("usage", `No case in ${path} matches ${where.join(" and ")}. Check the metadata of its cases.`);
}

function says(metadata: Case["metadata"], name: string, values: ReadonlySet<string>): boolean {
  if (!Object.hasOwn(metadata, name)) return false;
  const value = metadata[name];
  const texts = Array.isArray(value) ? value : [value];
  return texts.some((each) => values.has(typeof each === "string" ? each : JSON.stringify(each)));
}
