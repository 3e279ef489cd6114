import { copyFileSync, cpSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunManifest } from "../../../../../src/host/recording/format/run-manifest.ts";
import { runPaths, sessionPaths } from "../../../../../src/host/recording/format/run-paths.ts";
import type { Place } from "../../../../support/place.ts";
import { type OnDisk, onDisk } from "./recorded.ts";

let copies = 0;

/** A copy of a run as if its recorder had been killed before the seal; `change` edits its manifest. */
export function crashedCopy(here: Place, run: OnDisk, change: (manifest: RunManifest) => object = (manifest) => manifest): OnDisk {
  const { sealed: _1, digest: _2, ...unsealed } = run.manifest;
  const id = `20260101-000000-${String(++copies).padStart(6, "0")}`;
  const { paths } = copyOf(here, run, id);
  writeFileSync(paths.manifest, JSON.stringify(change({ ...unsealed, id })));
  return onDisk(paths.directory);
}

/** A copy of a sealed run under a different id, free to be damaged. */
export function sealedCopy(here: Place, run: OnDisk): OnDisk {
  return onDisk(copyOf(here, run, run.manifest.id).paths.directory);
}

function copyOf(here: Place, run: OnDisk, id: string) {
  const paths = runPaths(join(here.runs, id));
  const session = sessionPaths(here.sessions, id);
  for (const folder of [here.root, here.runs, here.sessions]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  cpSync(run.paths.directory, paths.directory, { recursive: true, filter: (path) => !lstatSync(path).isSocket() });
  copyFileSync(run.paths.session, session.stream);
  copyFileSync(run.paths.meta, session.meta);
  return { paths, session };
}

/** The lines of a file, each with its newline. */
export function linesOf(path: string): Buffer[] {
  const bytes = readFileSync(path);
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start) + 1 || bytes.length;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}
