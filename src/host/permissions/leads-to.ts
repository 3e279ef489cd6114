import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, normalize, relative, resolve, sep } from "node:path";
import { codeOf } from "../../pure/base/index.ts";

/** A path and every place that it leads to, through the links that exist now. */
export interface Way {
  /** From the root, `.` for the root itself; absolute if outside. The path as written comes first, what is behind its last link last. */
  readonly places: readonly string[];
  /** False if a link could not be followed, so that its target is not known. */
  readonly isKnown: boolean;
  /** Absolute. */
  readonly root?: string;
}

/** The number of links Linux follows in one path. */
const MOST_LINKS = 40;

/**
 * The places a path leads to: without dots and doubled or trailing slashes, and behind every link on the way. The last part need not exist.
 * Without a root, only the spelling can be judged.
 */
export function leadsTo(path: string, root: string | undefined): Way {
  if (path.includes("\0")) return { places: [path], isKnown: false };
  if (root === undefined) return { places: [normalize(path).replace(/(?<=.)\/+$/, "")], isKnown: true };
  const base = resolve(root);
  const real = realOf(base) ?? base;
  const from = (place: string) => within(place, base) ?? within(place, real) ?? place;
  const found = new Set([from(resolve(base, path))]);
  let isKnown = true;
  try {
    for (const place of hops(resolve(base, path))) found.add(from(place));
  } catch {
    isKnown = false;
  }
  return { places: [...found], isKnown, root: base };
}

/** The path after each link is replaced by its target, and at the end as the file system itself spells it. */
function* hops(path: string): Generator<string, void> {
  let place = path;
  for (let links = 0; ; links++) {
    if (links > MOST_LINKS) throw new Error("too many links");
    const link = firstLink(place);
    if (link === undefined) break;
    place = resolve(dirname(link.at), link.target, link.rest);
    yield place;
  }
  const [existing, rest] = existingPart(place);
  yield resolve(realpathSync.native(existing), rest); // the spelling of the disk, if it ignores case or Unicode forms
}

function firstLink(path: string): { readonly at: string; readonly target: string; readonly rest: string } | undefined {
  const names = path.split(sep).filter((name) => name !== "");
  let at: string = sep;
  for (const [index, name] of names.entries()) {
    at = join(at, name);
    const stats = lstatOf(at);
    if (stats === undefined) return undefined;
    if (stats.isSymbolicLink()) return { at, target: readlinkSync(at), rest: join(".", ...names.slice(index + 1)) };
  }
  return undefined;
}

function existingPart(path: string): readonly [existing: string, rest: string] {
  let existing = path;
  while (lstatOf(existing) === undefined && dirname(existing) !== existing) existing = dirname(existing);
  return [existing, relative(existing, path)];
}

/** Undefined if there is nothing; throws if that cannot be known. */
function lstatOf(path: string) {
  try {
    return lstatSync(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return undefined;
    throw error;
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function within(place: string, root: string): string | undefined {
  if (place === root) return ".";
  const prefix = root === sep ? sep : root + sep;
  return place.startsWith(prefix) ? place.slice(prefix.length) : undefined;
}
