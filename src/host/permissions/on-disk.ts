import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
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
  if (place.isBare && dashed(absolute(place.path, directory)))
    return { reason: `${place.path} matches a name that begins with a dash; write ./${place.path}` };
  if (place.stored !== undefined && !paths.every((path) => existsSync(path)))
    return { reason: `${place.stored} prints what git has stored of files that it does not name; name them after --` };
  if (place.top !== undefined) {
    const { top } = place;
    return { files: paths.map((path) => ({ path: join(repositoryOf(path) ?? path, top), inside: [] })) };
  }
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
    const blank = place.split ? [place.path, ...files].find((each) => BLANK.test(each)) : undefined;
    if (blank !== undefined) return { reason: `xargs takes ${blank} for several names; use find -print0 and xargs -0` };
    found.push({ path, inside: files });
    if (place.descends)
      found.push(
        ...deeper(path, inside).map((each) => ({
          ...each,
          inside: each.inside.filter((name) => named === undefined || isNamed(basename(name), named)),
        })),
      );
    if (place.follows) for (const link of files) if (isLink(join(path, link))) found.push(...behind(join(path, link)));
  }
  return { files: found };
}

/** xargs takes such names for several, or for different ones. */
export const BLANK = /[\s'"\\]|^-/;

/** Whether the first pattern of a path could match a name that begins with a dash. */
function dashed(pattern: string): boolean {
  const parts = pattern.split("/");
  const first = parts.findIndex((part) => /[*?[]/.test(part));
  const folders = matches(parts.slice(0, first).join("/") || "/") ?? [];
  return folders.some((folder) => entriesOf(folder).some(({ name }) => name.startsWith("-")));
}

/** A repository in which git runs and which the agent could have made: not the workspace's own. */
export function strangeRepository(place: ShownPlace, directory: string, root: string): string | undefined {
  const start = resolve(absolute(place.path, directory));
  for (let at = start; dirname(at) !== at; at = dirname(at)) {
    if (root === at || root.startsWith(`${at}/`)) return undefined;
    if (existsSync(join(at, ".git")) || (existsSync(join(at, "HEAD")) && existsSync(join(at, "objects")))) return at;
  }
  return undefined;
}

/** Whether a path is a link, or has one in it. */
export function hasLinks(path: string, directory: string): boolean {
  const start = absolute(path, directory);
  const starts = /[*?[]/.test(path) ? matching(start) : [start];
  return (
    starts === undefined ||
    starts.some((each) => {
      const inside = filesIn(each);
      return isLink(each.replace(/(?<=.)\/+$/, "")) || inside === undefined || inside.some((name) => isLink(join(each, name)));
    })
  );
}

/** What is in folders behind links, and behind the links there. */
function deeper(path: string, inside: readonly string[], seen = new Set<string>()): readonly Found[] {
  return inside.flatMap((name) => {
    const link = join(path, name);
    if (!isLink(link) || !isDirectory(link)) return [];
    const real = realpathSync(link);
    if (seen.has(real) || seen.size > MOST) return [];
    seen.add(real);
    const files = filesIn(link) ?? [];
    return [{ path: link, inside: files }, ...deeper(link, files, seen)];
  });
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
  return found?.length === 0 || /[[\\]/.test(pattern) ? [...(found ?? []), pattern] : found;
}

function matches(pattern: string): readonly string[] | undefined {
  if (!/[*?[]/.test(pattern)) return [pattern];
  const [folder, name] = [dirname(pattern), basename(pattern)];
  const folders = matches(folder);
  if (folders === undefined || folders.length > MOST) return undefined;
  return folders.flatMap((each) => {
    if (!/[*?[]/.test(name)) return [join(each, name)];
    if (name === "**") return [each, ...(filesIn(each) ?? []).map((inside) => join(each, inside))];
    const isHidden = /^[.[\\]/.test(name);
    return entriesOf(each).flatMap((entry) =>
      (isHidden || !entry.name.startsWith(".")) && isNamed(entry.name, name) ? [join(each, entry.name)] : [],
    );
  });
}

/** Whether a name could match a glob. What follows a list of characters or a backslash counts as anything. */
function isNamed(name: string, glob: string): boolean {
  const [plain = ""] = /^[^[\\]*/.exec(glob) ?? [];
  const source = plain.replace(/[.+^${}()|*?\]]/g, (part) => (part === "*" ? ".*" : part === "?" ? "." : `\\${part}`));
  return new RegExp(`^${source}${plain === glob ? "$" : ""}`, "is").test(name);
}
