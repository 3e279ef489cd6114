import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type SessionHead, type Store, type StoreKind, type StorePlace, stores, unreadStores } from "../../pure/agents/index.ts";
import { codeOf, errorWords, HarnessError, type JsonObject, namedOrSuggest, parseObject } from "../../pure/base/index.ts";
import { firstRows, sessionIds } from "./database-rows.ts";
import { aroundList, listRecords } from "./list-records.ts";
import type { SessionFile } from "./session-file.ts";
import { beginning, wholeText } from "./whole-text.ts";

/** A session of an agent, with the files of its subagents. */
export interface FoundSession {
  readonly store: Store;
  readonly head: SessionHead;
  /** The main file first. */
  readonly files: readonly SessionFile[];
}

/** A file that looked like part of a session and could not be read. */
export interface Skipped {
  readonly store: Store;
  readonly path: string;
  readonly reason: string;
}

export interface Unread {
  readonly agent: string;
  readonly path: string;
}

export interface FoundSessions {
  readonly sessions: readonly FoundSession[];
  readonly skipped: readonly Skipped[];
  /** The directories that were searched. */
  readonly places: readonly string[];
  /** Directories of agents whose sessions are not read, below the paths that were given. */
  readonly unread: readonly Unread[];
}

export interface FindOptions {
  /** Ids of agents. Default: every agent whose store is known. */
  readonly agents: readonly string[] | undefined;
  /** Directories or files to read instead of the usual places. */
  readonly paths: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Enough for the header of a session, its context and its first prompt. */
const HEAD_BYTES = 512 * 1024;
const HEAD_RECORDS = 64;
/** Links are never followed; a loop is impossible, and a deeper tree is not a store. */
const DEEPEST = 12;
/** A folder of backups, a home in it, and `.local/share/amp`. */
const DEEPEST_HOME = 5;

/** Finds sessions in the places where agents keep them. Reads the beginning of each file, follows no link, and changes nothing. */
export function findSessions({ agents, paths, environment, home }: FindOptions): FoundSessions {
  const chosen = chosenStores(agents);
  const skipped: Skipped[] = [];
  const places = new Set<string>();
  const search = (store: Store, roots: readonly Root[], problems = skipped) => {
    const files = roots.flatMap(({ root, from }) => {
      places.add(from);
      return filesOf(store, root, from, problems);
    });
    const databases = files.filter(({ kind }) => kind === "database");
    const others = files.filter(({ kind }) => kind !== "database");
    return [others, ...databases.map((file) => [file])].flatMap((each) => sessionsOf(store, each, problems));
  };
  const searchFor = (store: Store, path: string) => {
    const problems: Skipped[] = [];
    const found = search(store, around(store, path), problems).filter(({ files }) => files.some((file) => file.path === path));
    skipped.push(...problems.filter((problem) => problem.path === path));
    return found;
  };
  if (paths === undefined) {
    const sessions = chosen.flatMap((store) => search(store, placesOf(store, environment, home)));
    return { sessions, skipped, places: [...places], unread: [] };
  }
  const all = paths.map((path) => resolve(path));
  const directories = all.filter(isDirectory);
  const files = all.filter((path) => !isDirectory(path));
  const sessions = chosen.flatMap((store) => [
    ...search(
      store,
      directories.flatMap((path) => given(store, path)),
    ),
    ...files.flatMap((path) => searchFor(store, path)),
  ]);
  return { sessions: distinct(sessions), skipped, places: [...places], unread: unreadBelow(directories) };
}

function chosenStores(agents: readonly string[] | undefined): readonly Store[] {
  if (agents === undefined || agents.length === 0) return stores;
  return agents.map((name) => {
    const found = stores.find(({ agent }) => agent.id === name || agent.aliases?.includes(name));
    if (found !== undefined) return found;
    throw new HarnessError(
      "usage",
      namedOrSuggest(
        "store of sessions",
        name,
        stores.map(({ agent }) => agent.id),
      ),
      { option: "agents" },
    );
  });
}

/** The directory that names start from, and the one to search. */
interface Root {
  readonly root: string;
  readonly from: string;
}

function placesOf(store: Store, environment: FindOptions["environment"], home: string): readonly Root[] {
  const directories = store.places.map((place) => movedTo(place, environment) ?? join(home, place.home));
  return [...new Set(directories)].map((root) => ({ root, from: root }));
}

function movedTo({ moved = [] }: StorePlace, environment: FindOptions["environment"]): string | undefined {
  for (const [variable, below] of moved) {
    const value = environment[variable];
    if (value !== undefined && value !== "") return join(value, below);
  }
  return undefined;
}

/** A home, a store, or a folder of one. */
function given(store: Store, path: string): readonly Root[] {
  const inside = store.places.filter(({ home }) => isDirectory(join(path, home))).map(({ home }) => join(path, home));
  if (inside.length > 0) return inside.map((root) => ({ root, from: root }));
  return [{ root: placeIn(store, path) ?? dirname(path), from: path }];
}

/** What to search for the session of a file: its store, because its subagents may be in other folders. Elsewhere, the folder with its name. */
function around(store: Store, path: string): readonly Root[] {
  const place = placeIn(store, path);
  const root = place ?? dirname(dirname(path));
  if (namedIn(store, root, path) === undefined) return [];
  if (place !== undefined) return [{ root, from: place }];
  const folder = join(dirname(path), basename(path).replace(/\.[^.]+$/, ""));
  return [path, ...(isDirectory(folder) ? [folder] : [])].map((from) => ({ root, from }));
}

/** The part of a path that is a place of the store, wherever its home is. */
function placeIn({ places }: Store, path: string): string | undefined {
  return upTo(
    path,
    places.map(({ home }) => home),
  );
}

/** The same for a directory that a variable may name, such as `projects` in a copy of `~/.claude` with a different name. */
function movedPlaceIn({ places }: Store, path: string): string | undefined {
  return upTo(
    path,
    places.flatMap(({ moved = [] }) => moved.map(([, below]) => below)),
  );
}

function upTo(path: string, names: readonly string[]): string | undefined {
  const name = names.find((each) => each !== "" && `${path}/`.includes(`/${each}/`));
  return name === undefined ? undefined : path.slice(0, `${path}/`.lastIndexOf(`/${name}/`) + name.length + 1);
}

/** The name of a file in the store, and its kind. Undefined: not a file of this store. */
function namedIn(store: Store, root: string, path: string): { readonly name: string; readonly kind: StoreKind } | undefined {
  const place = placeIn(store, path);
  if (place === undefined && stores.some((other) => placeIn(other, path) !== undefined)) return undefined;
  for (const from of place === undefined ? [movedPlaceIn(store, path) ?? root, root] : [place]) {
    const name = relative(from, path).split(sep).join("/");
    const kind = store.kind(name);
    if (kind !== undefined) return { name, kind };
  }
  return undefined;
}

/** Two of the given paths may lead to one session. */
function distinct(sessions: readonly FoundSession[]): readonly FoundSession[] {
  const keys = new Set<string>();
  return sessions.filter(({ store, head, files }) => {
    const key = JSON.stringify([store.agent.id, head.session, files[0]?.path]);
    return !keys.has(key) && keys.add(key);
  });
}

function unreadBelow(directories: readonly string[]): readonly Unread[] {
  const found = new Map<string, Unread>();
  const see = (path: string) => {
    const store = unreadStores.find(({ home }) => path.endsWith(`/${home}`));
    if (store !== undefined) found.set(path, { agent: store.agent, path });
    return store !== undefined;
  };
  const look = (path: string, depth: number) => {
    if (see(path) || depth === DEEPEST_HOME) return;
    for (const name of foldersIn(path)) look(join(path, name), depth + 1);
  };
  for (const directory of directories) look(directory, 0);
  return [...found.values()];
}

/** Folders that cannot be read are reported by the search for sessions. */
function foldersIn(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function filesOf(store: Store, root: string, from: string, skipped: Skipped[]): readonly SessionFile[] {
  const found: SessionFile[] = [];
  const see = (path: string) => {
    const named = namedIn(store, root, path);
    if (named === undefined) return;
    const { name, kind } = named;
    const about = lstatSync(path, { throwIfNoEntry: false });
    if (about?.isFile() === true)
      found.push({ path, name: name.replace(/\.zst$/, ""), kind, bytes: about.size, mtimeMs: Math.round(about.mtimeMs) });
    else if (about !== undefined) skipped.push({ store, path, reason: "it is not a regular file" });
  };
  if (!isDirectory(from)) see(from);
  else walk(store, from, see, skipped, 0);
  return found;
}

function walk(store: Store, directory: string, see: (path: string) => void, skipped: Skipped[], depth: number): void {
  let entries: Dirent[];
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) !== "ENOENT") skipped.push({ store, path: directory, reason: errorWords(error) });
    return;
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && store.without?.includes(entry.name) === true) continue;
    if (entry.isDirectory() && depth < DEEPEST) walk(store, path, see, skipped, depth + 1);
    else if (!entry.isDirectory()) see(path);
  }
}

interface Headed {
  readonly file: SessionFile;
  readonly head: SessionHead;
}

/** Joins the files of subagents with the session that started them. */
function sessionsOf(store: Store, files: readonly SessionFile[], skipped: Skipped[]): readonly FoundSession[] {
  const names = new Set(files.map(({ name }) => name));
  const attached = new Map<string, SessionFile[]>();
  const headed: Headed[] = [];
  for (const file of files.flatMap((each) => (each.kind === "database" ? inDatabase(store, each, skipped) : [each]))) {
    const main = store.mainOf?.(file.name);
    if (main !== undefined && names.has(main)) add(attached, main, file);
    else {
      const head = headOf(store, file, skipped);
      if (head !== undefined) headed.push({ file: { ...file, mtimeMs: head.changedAt ?? file.mtimeMs }, head });
    }
  }
  const mains = new Map<string, Headed>(); // of two files of one session, such as an archived one, the first counts
  for (const each of headed) if (each.head.parent === undefined && !mains.has(each.head.session)) mains.set(each.head.session, each);
  const byId = new Map(headed.map((each) => [each.head.session, each]));
  for (const each of headed) {
    const root = rootOf(each, byId);
    if (root !== each && mains.has(root.head.session)) add(attached, root.file.name, each.file);
    else if (!mains.has(each.head.session)) mains.set(each.head.session, each);
  }
  return [...mains.values()].map(({ file, head }) => ({ store, head, files: [file, ...(attached.get(file.name) ?? [])] }));
}

function add(attached: Map<string, SessionFile[]>, main: string, file: SessionFile): void {
  const known = attached.get(main);
  if (known === undefined) attached.set(main, [file]);
  else known.push(file);
}

/** The session at the top. A circle of parents, which only a damaged store has, ends where it began. */
function rootOf(start: Headed, byId: ReadonlyMap<string, Headed>): Headed {
  const seen = new Set<Headed>();
  let each = start;
  while (each.head.parent !== undefined && !seen.has(each)) {
    seen.add(each);
    const parent = byId.get(each.head.parent);
    if (parent === undefined) return each;
    each = parent;
  }
  return each.head.parent === undefined ? each : start;
}

/** The sessions of a database, each as if it were a file. */
function inDatabase(store: Store, file: SessionFile, skipped: Skipped[]): readonly SessionFile[] {
  try {
    return sessionIds(store, file.path).map((session) => ({ ...file, name: `${file.name}#${session}`, session }));
  } catch (error) {
    skipped.push({ store, path: file.path, reason: errorWords(error) });
    return [];
  }
}

const FIRST_ROWS = 8;

function headOf(store: Store, file: SessionFile, skipped: Skipped[]): SessionHead | undefined {
  try {
    return store.head(file.name, recordsOf(store, file));
  } catch (error) {
    skipped.push({ store, path: file.path, reason: errorWords(error) });
    return undefined;
  }
}

function recordsOf(store: Store, file: SessionFile): readonly JsonObject[] {
  if (file.session !== undefined) return parsed(firstRows(store, file.path, file.session, FIRST_ROWS));
  if (file.kind === "lines") return parsed(beginning(file, HEAD_BYTES).split("\n").slice(0, HEAD_RECORDS));
  if (file.kind === "list") return parsed([aroundList(store, file), ...listRecords(store, file).slice(0, HEAD_RECORDS)]);
  return [parseObject(wholeText(file)) ?? {}];
}

function parsed(lines: readonly string[]): readonly JsonObject[] {
  return lines.map((line) => parseObject(line)).filter((record) => record !== undefined);
}
