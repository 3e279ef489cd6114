import { mkdirSync, readlinkSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { type Descent, descend } from "../../host/workspace/index.ts";
import { codeOf, errorWords } from "../../pure/base/index.ts";
import { refusalOf } from "./place-guard.ts";

/** A name in a directory of the workspace that is held open, so that no link or renamed parent can redirect it. */
export interface Place {
  /** The path to use until `use` returns. Do not follow a link at its end. */
  readonly at: string | Buffer;
  /** The path of its directory. */
  readonly here: string | Buffer;
  /** From the workspace's root, without links; empty for the root. */
  readonly path: string;
  readonly name: string;
}

/** Why a path cannot be used, as a sentence for the model. */
export class OutsideError extends Error {
  override readonly name = "OutsideError";
}

/** `use` throws this if the name turns out to be a link: the link's target is tried instead. */
export const LINKED = Symbol("linked");

const MOST_LINKS = 40;

/**
 * Walks to a path step by step, each step relative to the open directory before it and never through a link. If a name is a link to a place
 * inside the workspace, the walk restarts with its target. So the result is inside, whatever happens to the tree meanwhile. What only looks
 * at a place, and neither reads nor writes there, is not judged by the permissions of the call.
 */
export function inWorkspace<T>(
  root: string,
  path: string,
  use: (place: Place) => T | typeof LINKED,
  options: { readonly create?: boolean; readonly onlyLooks?: boolean } = {},
): T {
  let names = namesIn(root, path);
  for (let links = 0; links <= MOST_LINKS; links++) {
    const descent = descend(root, { mayBeLink: true });
    try {
      const went = go(descent, names, use, options);
      if (!("link" in went)) return went.value;
      names = namesIn(root, resolve(root, ...went.above, went.link), went.rest, path);
    } catch (error) {
      throw explained(error, path);
    } finally {
      descent.close();
    }
  }
  throw new OutsideError(`${path} cannot be reached: its links lead in a circle.`);
}

type Went<T> = { readonly value: T } | { readonly link: string; readonly above: readonly string[]; readonly rest: readonly string[] };

function go<T>(
  descent: Descent,
  names: readonly string[],
  use: (place: Place) => T | typeof LINKED,
  { create = false, onlyLooks = false }: { readonly create?: boolean; readonly onlyLooks?: boolean },
): Went<T> {
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
  const refusal = onlyLooks ? undefined : refusalOf(names.join("/") || ".");
  if (refusal !== undefined) throw new OutsideError(refusal);
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

/** The names from the root to a path; throws if the path leaves the root. */
function namesIn(root: string, path: string, rest: readonly string[] = [], asked = path): readonly string[] {
  if (path.includes("\0")) throw new OutsideError("A path cannot contain a NUL character.");
  const base = resolve(root);
  const way = relative(base, resolve(base, path));
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way))
    throw new OutsideError(`${asked} is outside the workspace ${base}. Use a path inside it.`);
  return [...way.split(sep), ...rest].filter((name) => name !== "" && name !== ".");
}

function explained(error: unknown, path: string): Error {
  if (error instanceof OutsideError) return error;
  const reason = REASONS[codeOf(error)];
  return reason === undefined
    ? new Error(`${path}: ${errorWords(error).replace(/\/proc\/self\/fd\/\d+\/?/g, "")}`)
    : new OutsideError(`${path} ${reason}.`, { cause: error });
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
  ENXIO: "is not a regular file",
};
