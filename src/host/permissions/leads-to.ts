import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, normalize, relative, resolve, sep } from "node:path";
import { codeOf } from "../../pure/base/index.ts";
import { type FileObject, objectAt } from "./file-object.ts";

/** A path and every place that it leads to, through the links that exist now. */
export interface Way {
  /** From the root, `.` for the root itself; absolute if outside. The path as written comes first, what is behind its last link last. */
  readonly places: readonly string[];
  /** False if a link could not be followed, so that its target is not known. */
  readonly isKnown: boolean;
  /** Absolute. */
  readonly root?: string;
  /** The file itself, if it has more than one name. */
  readonly object?: FileObject;
  /** Every name on the way, absolute: each folder, and each link before it is followed. */
  readonly through?: readonly string[];
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
  const through: string[] = [];
  let isKnown = true;
  try {
    for (const place of hops(path, base, through)) found.add(from(place));
  } catch {
    isKnown = false;
  }
  const object = isKnown ? objectAt(resolve(base, [...found].at(-1) ?? "."), real) : undefined;
  return { places: [...found], isKnown, root: base, through, ...(object !== undefined && { object }) };
}

/** Descriptors that every program has: what they lead to is not the path's doing. */
const STANDARD = new Set(["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/0", "/dev/fd/1", "/dev/fd/2"]);

const PROCESS = /^\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?$/;

/**
 * The path after each link is replaced by its target, and at the end as the file system itself spells it. Goes through the path as the
 * kernel does: `..` behind a link is the parent of its target.
 */
function* hops(path: string, root: string, through: string[]): Generator<string, void> {
  if (STANDARD.has(path)) return;
  let names = namesOf(path.startsWith(sep) ? path : `${root}${sep}${path}`);
  let place: string = sep;
  let links = 0;
  const jump = (to: string) => {
    if (++links > MOST_LINKS) throw new Error("too many links");
    names = [...namesOf(to), ...names];
    if (to.startsWith(sep)) place = sep;
    return resolve(place, ...names);
  };
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const next = resolve(place, name);
    through.push(next);
    if (PROCESS.test(place) && name !== "task" && name !== "..") {
      if (name !== "root") throw new Error("only the agent can follow it"); // its directory may be another one by then
      yield jump(sep);
    } else if (!PROCESS.test(next) && name !== ".." && lstatOf(next)?.isSymbolicLink()) yield jump(readlinkSync(next));
    else place = next;
  }
  const [existing, rest] = existingPart(place);
  yield resolve(realpathSync.native(existing), rest); // the spelling of the disk, if it ignores case or Unicode forms
}

function namesOf(path: string): string[] {
  return path.split(sep).filter((name) => name !== "" && name !== ".");
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
