import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { codeOf } from "../../pure/base/index.ts";
import type { ShownPlace } from "../../pure/shell/index.ts";

/** More files than this are not listed. */
const MOST = 20_000;

/** A path and the files in it that are meant too, from the path. */
export interface Found {
  readonly path: string;
  readonly inside: readonly string[];
}

/** What a place of a command means on the disk: its glob, the files in it, the names that a copy gets; or why that is not known. */
export function onDisk(place: ShownPlace, directory: string): { readonly files: readonly Found[] } | { readonly reason: string } {
  const tooMany = { reason: `${place.path} has too many files; name a smaller folder` };
  const paths = place.isGlob ? matching(absolute(place.path, directory)) : [absolute(place.path, directory)];
  if (paths === undefined) return tooMany;
  if (place.isGlob && !place.path.includes("/") && paths.some((path) => basename(path).startsWith("-")))
    return { reason: `${place.path} matches a name that begins with a dash; write ./${place.path}` };
  if (place.from !== undefined) {
    const copies = copiesOf(place.from, paths, directory);
    return copies === undefined ? tooMany : { files: copies };
  }
  const found: Found[] = [];
  for (const path of paths) {
    const inside = place.tree ? filesIn(path) : [];
    if (inside === undefined) return tooMany;
    const isTracked = place.tracked && inside.length > 0 ? trackedIn(path) : () => true;
    const { named } = place;
    const files = inside.filter((each) => (named === undefined || isNamed(basename(each), named)) && isTracked(each));
    found.push({ path, inside: files });
    if (place.follows) for (const link of files) if (isLink(join(path, link))) found.push(...behind(join(path, link)));
  }
  return { files: found };
}

/** What a search finds behind a link if it follows it. */
function behind(link: string): readonly Found[] {
  return [{ path: link, inside: isDirectory(link) ? (filesIn(link) ?? []) : [] }];
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Whether git tracks a file of a folder: its index contains the name. If it cannot be read, every file counts. */
function trackedIn(folder: string): (name: string) => boolean {
  const root = repositoryOf(folder);
  if (root === undefined) return () => false;
  try {
    const link = statSync(join(root, ".git")).isFile() ? readFileSync(join(root, ".git"), "utf8").replace(/^gitdir: |\n/g, "") : ".git";
    const index = readFileSync(join(resolve(root, link), "index"));
    if (index.readUInt32BE(4) === 4) return () => true; // names are compressed
    const from = relative(root, folder);
    return (name) => index.includes(`${join(from, name)}\0`);
  } catch (error) {
    return () => codeOf(error) !== "ENOENT";
  }
}

function repositoryOf(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** Keeps `..`: behind a link it is the parent of the target. */
function absolute(path: string, directory: string): string {
  if (path === "~" || path.startsWith("~/")) return `${homedir()}${path.slice(1)}`;
  return path.startsWith("/") ? path : `${directory}/${path}`;
}

/** A copy in an existing directory keeps its name. */
function copiesOf(from: string, targets: readonly string[], directory: string): readonly Found[] | undefined {
  const sources = /[*?[]/.test(from) ? matching(absolute(from, directory)) : [absolute(from, directory)];
  const found: Found[] = [];
  for (const target of targets) {
    for (const source of sources ?? []) {
      const inside = filesIn(source);
      if (inside === undefined) return undefined;
      const isInto = target.endsWith("/") || isDirectory(target);
      found.push({ path: isInto && source !== target ? join(target, basename(source)) : target, inside });
      if (isInto && /(?:^|\/)\.?$/.test(source)) found.push({ path: target, inside }); // `cp -r a/. b`
    }
  }
  return sources === undefined ? undefined : found;
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Does not follow links. */
function filesIn(path: string): readonly string[] | undefined {
  const found: string[] = [];
  const open = [""];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const entry of entriesOf(join(path, at))) {
      const name = join(at, entry.name);
      if (found.push(name) > MOST) return undefined;
      if (entry.isDirectory()) open.push(name);
    }
  }
  return found;
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return []; // a file, or nothing, or not for us: then not for the agent either
  }
}

/** Like the shell: without a match the pattern stays unchanged, and `*` does not match a dot at the beginning of a name. */
function matching(pattern: string): readonly string[] | undefined {
  const found = matches(pattern);
  if (found !== undefined && found.length > MOST) return undefined;
  return found?.length === 0 ? [pattern] : found;
}

function matches(pattern: string): readonly string[] | undefined {
  if (!/[*?[]/.test(pattern)) return [pattern];
  const [folder, name] = [dirname(pattern), basename(pattern)];
  const folders = matches(folder);
  if (folders === undefined || folders.length > MOST) return undefined;
  return folders.flatMap((each) => {
    if (!/[*?[]/.test(name)) return [join(each, name)];
    if (name === "**") return [each, ...(filesIn(each) ?? []).map((inside) => join(each, inside))];
    return entriesOf(each).flatMap((entry) => (isNamed(entry.name, name) ? [join(each, entry.name)] : []));
  });
}

function isNamed(name: string, glob: string): boolean {
  if (name.startsWith(".") && !glob.startsWith(".") && !glob.startsWith("[")) return false;
  const source = glob.replace(/\[!?[^\]]*\]|[.+^${}()|\\*?[\]]/g, (part) => {
    if (part === "*") return ".*";
    if (part === "?") return ".";
    return part.length > 1 ? "." : `\\${part}`; // any character for a list of them
  });
  return new RegExp(`^${source}$`, "is").test(name);
}
