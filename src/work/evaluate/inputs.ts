import { lstatSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { hashOfTree, workspaceOf } from "./cases/index.ts";
import type { CheckedEntrant } from "./entrants.ts";
import type { Chosen } from "./preflight.ts";
import { type CaseTask, hashOf } from "./trial/index.ts";

export interface WithInputs {
  readonly entrants: readonly CheckedEntrant[];
  readonly inputs: CaseTask["inputs"];
}

/**
 * Adds what the evaluation file refers to to the configuration of every side: data set, workspaces, references, graders, skills, files. Then
 * results of other contents do not belong to it. How many trials run is not part of it.
 */
export function withInputs(
  file: string | undefined,
  entrants: readonly CheckedEntrant[],
  chosen: Chosen,
  graderFiles: readonly string[],
): WithInputs {
  if (file === undefined) return { entrants, inputs: undefined };
  const directory = dirname(file);
  const hashes = new Map<string, string>();
  const hashed = (paths: Iterable<string>) =>
    Object.fromEntries(
      [...new Set(paths)].sort().map((path) => {
        const hash = hashes.get(path) ?? hashOfTree(path);
        hashes.set(path, hash);
        return [relative(directory, path) || ".", hash];
      }),
    );
  const shared = [...graderFiles, ...referred(chosen)];
  const sides = entrants.map((each) => {
    const details = { ...each.details, inputs: hashed([...shared, ...each.sources]) };
    return { ...each, details, entrant: { ...each.entrant, configuration: hashOf(details) } };
  });
  const all = hashed([...shared, ...entrants.flatMap(({ sources }) => sources)]);
  return { entrants: sides, inputs: { file: hashOfTree(file), all: hashOf(all) } };
}

function referred({ cases, places, workspace, file }: Chosen): readonly string[] {
  const found = new Set<string>(file === undefined ? [] : [file]);
  for (const place of places) {
    const row = cases.read(place);
    const path = workspaceOf(row.workspace ?? workspace, cases);
    if (path !== undefined && lstatSync(path, { throwIfNoEntry: false }) !== undefined) found.add(path);
    if (row.reference?.startsWith("files:")) found.add(join(cases.directory, row.reference.slice("files:".length)));
  }
  return [...found];
}
