import { lstatSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Evidence } from "../../pure/isolation/index.ts";

const PREFIX = "harness-walls-";

/** A private directory outside, for the temporary files and the home of a run. */
export function makePlace(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), PREFIX)));
}

/** Does not follow links. What a root agent has locked stays. */
export function removePlace(place: string): void {
  try {
    rmSync(place, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // It is private, and in the directory for temporary files.
  }
}

/** Removes what a dead recorder left, which may hold a copy of a login. Anyone can write a manifest, so only a directory of that kind. */
export function removeAbandonedWalls({ place }: Partial<Evidence> = {}): void {
  if (place === undefined || !basename(place).startsWith(PREFIX) || dirname(place) !== realpathSync(tmpdir())) return;
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true && stats.uid === process.getuid?.()) removePlace(place);
}
