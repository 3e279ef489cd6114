import { mkdirSync, readlinkSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { type Descent, descend } from "../../host/workspace/index.ts";
import { codeOf, errorWords } from "../../pure/base/index.ts";

/** A name in a directory of the workspace that is held open: no link and no renamed parent leads anywhere else meanwhile. */
export interface Place {
  /** The path to use until `use` returns; its last name must not be followed. */
  readonly at: string | Buffer;
  /** Of the directory it is in. */
  readonly here: string | Buffer;
  /** From the workspace's root, without links; empty for the root. */
  readonly path: string;
  readonly name: string;
}

/** Why a path cannot be used, in words for the model. */
export class OutsideError extends Error {
  override readonly name = "OutsideError";
}

/** What `use` throws for a name that turned out to be a link: its target is tried in its place. */
export const LINKED = Symbol("linked");

const MOST_LINKS = 40;

/**
 * Goes to a path step by step, each relative to the directory before it, none through a link; a link is read, and where it leads
 * inside the workspace the way begins anew with its target. So what is reached is inside, whatever happens to the tree meanwhile.
 */
export function inWorkspace<T>(
  root: string,
  path: string,
  use: (place: Place) => T | typeof LINKED,
  options: { readonly create?: boolean } = {},
): T {
  let names = namesIn(root, path);
  for (let links = 0; links <= MOST_LINKS; links++) {
    const descent = descend(root, { mayBeLink: true });
    try {
      const went = go(descent, names, use, options.create === true);
      if (!("link" in went)) return went.value;
      names = namesIn(root, resolve(root, ...went.above, went.link), went.rest, path);
    } catch (error) {
      throw told(error, path);
    } finally {
      descent.close();
    }
  }
  throw new OutsideError(`${path} cannot be reached: its links lead in a circle.`);
}

type Went<T> = { readonly value: T } | { readonly link: string; readonly above: readonly string[]; readonly rest: readonly string[] };

function go<T>(descent: Descent, names: readonly string[], use: (place: Place) => T | typeof LINKED, create: boolean): Went<T> {
  for (const [index, name] of names.slice(0, -1).entries()) {
    try {
      enter(descent, name, create);
    } catch (error) {
      const link = linkAt(descent, name);
      if (link === undefined) throw error;
      return { link, above: names.slice(0, index), rest: names.slice(index + 1) };
    }
  }
  const name = names.at(-1) ?? ".";
  const value = use({ at: descent.at(name), here: descent.here(), path: names.join("/"), name });
  if (value !== LINKED) return { value };
  const link = linkAt(descent, name);
  if (link === undefined) throw new OutsideError(`${names.join("/")} changed while it was used.`);
  return { link, above: names.slice(0, -1), rest: [] };
}

function enter(descent: Descent, name: string, create: boolean): void {
  try {
    descent.enter(name);
  } catch (error) {
    if (!create || codeOf(error) !== "ENOENT") throw error;
    try {
      mkdirSync(descent.at(name));
    } catch (again) {
      if (codeOf(again) !== "EEXIST") throw again;
    }
    descent.enter(name);
  }
}

function linkAt(descent: Descent, name: string): string | undefined {
  try {
    return readlinkSync(descent.at(name));
  } catch {
    return undefined;
  }
}

/** The names from the root to a path; refuses what leaves it. */
function namesIn(root: string, path: string, rest: readonly string[] = [], asked = path): readonly string[] {
  if (path.includes("\0")) throw new OutsideError("A path cannot hold a NUL character.");
  const base = resolve(root);
  const way = relative(base, resolve(base, path));
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way))
    throw new OutsideError(`${asked} is outside of the workspace ${base}; only what is inside can be used.`);
  return [...way.split(sep), ...rest].filter((name) => name !== "" && name !== ".");
}

function told(error: unknown, path: string): Error {
  if (error instanceof OutsideError) return error;
  const reason = REASONS[codeOf(error)];
  return reason === undefined
    ? new Error(`${path}: ${errorWords(error).replace(/\/proc\/self\/fd\/\d+\/?/g, "")}`)
    : new OutsideError(`${path} ${reason}.`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "is not a directory",
  EISDIR: "is a directory",
  EACCES: "cannot be used: permission denied",
  EPERM: "cannot be used: permission denied",
  ELOOP: "is a link that cannot be followed",
  ENAMETOOLONG: "has a name that is too long",
  ENOSPC: "could not be written: the disk is full",
  EROFS: "could not be written: the file system is read-only",
  ENXIO: "is no regular file",
};
