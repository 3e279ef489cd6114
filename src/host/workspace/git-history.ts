import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";

/**
 * What the branches of a workspace's repository lead to, read from the repository's files: git itself is never run where an agent can write.
 * Only objects in their own files are read, as git writes new ones; what is packed is unknown.
 */
export interface History {
  /** The commits of HEAD and of all branches. */
  readonly tips: ReadonlySet<string>;
  /** The commit of HEAD, and the tree in it. Undefined: none, or not readable. */
  readonly head?: string;
  readonly tree?: string;
}

const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const LARGEST = 32 * 1024 * 1024;
const MOST_BRANCHES = 5_000;

/** Undefined: no repository was found, or none that can be read. */
export function historyOf(workspace: string): History | undefined {
  const git = join(workspace, ".git");
  if (!isDirectory(git)) return undefined;
  const pointer = textAt(join(git, "HEAD"))?.trim();
  if (pointer === undefined) return undefined;
  const branches = packedBranches(git);
  for (const [name, sha] of looseBranches(git, "refs/heads")) branches.set(name, sha);
  const name = /^ref: (refs\/heads\/(?:[^/\s]+\/)*[^/\s]+)$/.exec(pointer)?.[1];
  const head = name === undefined ? pointer : branches.get(name);
  const isKnown = head !== undefined && SHA.test(head);
  const tree = isKnown ? treeOf(git, head) : undefined;
  return {
    tips: new Set([...branches.values(), ...(isKnown ? [head] : [])]),
    ...(isKnown && { head }),
    ...(tree !== undefined && { tree }),
  };
}

/** Of these paths, those whose present contents are in none of the commits. Undefined: a commit could not be read. */
export function uncommitted(workspace: string, commits: readonly string[], paths: readonly string[]): readonly string[] | undefined {
  const git = join(workspace, ".git");
  const trees = commits.map((commit) => treeOf(git, commit));
  const read = new Map<string, ReadonlyMap<string, string> | undefined>();
  const entriesIn = (tree: string) => {
    if (!read.has(tree)) read.set(tree, entriesOf(git, tree));
    return read.get(tree);
  };
  const missing: string[] = [];
  for (const path of paths) {
    const own = trees.map((tree) => (tree === undefined ? undefined : blobIn(tree, path.split("/"), entriesIn)));
    const now = blobAt(join(workspace, path));
    if (own.some((blob) => blob !== undefined && now !== undefined && blob === now)) continue;
    if (now === undefined || own.includes(undefined)) return undefined;
    missing.push(path);
  }
  return missing;
}

/** The name of a blob; null: there is none. Undefined: a tree on the way could not be read. */
function blobIn(
  tree: string,
  [name = "", ...rest]: readonly string[],
  entriesIn: (tree: string) => ReadonlyMap<string, string> | undefined,
): string | null | undefined {
  const entries = entriesIn(tree);
  if (entries === undefined) return undefined;
  const entry = entries.get(name);
  if (entry === undefined) return null;
  return rest.length === 0 ? entry : blobIn(entry, rest, entriesIn);
}

/** The name that git gives to a file's contents; null: the file does not exist. Undefined: it cannot be read. */
function blobAt(path: string): string | null | undefined {
  try {
    lstatSync(path);
  } catch {
    return null;
  }
  const bytes = bytesAt(path);
  return bytes && createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

function treeOf(git: string, commit: string): string | undefined {
  const text = objectAt(git, commit, "commit")?.subarray(0, 100).toString("latin1");
  const tree = /^tree ([0-9a-f]+)\n/.exec(text ?? "")?.[1];
  return tree !== undefined && SHA.test(tree) ? tree : undefined;
}

function entriesOf(git: string, tree: string): ReadonlyMap<string, string> | undefined {
  const bytes = objectAt(git, tree, "tree");
  if (bytes === undefined) return undefined;
  const entries = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    if (space === -1 || end === -1) return undefined;
    entries.set(bytes.toString("utf8", space + 1, end), bytes.toString("hex", end + 1, end + 21));
    at = end + 21;
  }
  return entries;
}

/** An object in its own file, if its contents have its name: an agent can write anything there. */
function objectAt(git: string, sha: string, kind: "commit" | "tree"): Buffer | undefined {
  const bytes = bytesAt(join(git, "objects", sha.slice(0, 2), sha.slice(2)));
  if (bytes === undefined || sha.length !== 40) return undefined;
  try {
    const object = inflateSync(bytes, { maxOutputLength: LARGEST });
    if (createHash("sha1").update(object).digest("hex") !== sha) return undefined;
    const end = object.indexOf(0);
    return object.toString("latin1", 0, end).startsWith(`${kind} `) ? object.subarray(end + 1) : undefined;
  } catch {
    return undefined;
  }
}

function packedBranches(git: string): Map<string, string> {
  const lines = textAt(join(git, "packed-refs"))?.split("\n") ?? [];
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [sha = "", name = ""] = line.split(" ");
      return SHA.test(sha) && name.startsWith("refs/heads/") ? [[name, sha]] : [];
    }),
  );
}

function looseBranches(git: string, folder: string, found: [string, string][] = []): readonly [string, string][] {
  if (!isDirectory(join(git, folder))) return found;
  for (const entry of readdirSync(join(git, folder), { withFileTypes: true })) {
    if (found.length >= MOST_BRANCHES) break;
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) looseBranches(git, name, found);
    const sha = entry.isFile() ? textAt(join(git, name))?.trim() : undefined;
    if (sha !== undefined && SHA.test(sha)) found.push([name, sha]);
  }
  return found;
}

function isDirectory(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

function textAt(path: string): string | undefined {
  return bytesAt(path)?.toString("utf8");
}

/** Reads a regular file: never a link's target, a pipe or a device. */
function bytesAt(path: string): Buffer | undefined {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(fd);
      if (!stats.isFile() || stats.size > LARGEST) return undefined;
      const bytes = Buffer.alloc(stats.size);
      let at = 0;
      for (let count = -1; count !== 0 && at < bytes.length; at += count) count = readSync(fd, bytes, at, bytes.length - at, at);
      return at === bytes.length ? bytes : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
