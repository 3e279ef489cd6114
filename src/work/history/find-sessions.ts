import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type SessionHead, type Store, type StorePlace, stores } from "../../pure/agents/index.ts";
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

export interface FoundSessions {
  readonly sessions: readonly FoundSession[];
  readonly skipped: readonly Skipped[];
  /** The directories that were searched. */
  readonly places: readonly string[];
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

/** Finds sessions in the places where agents keep them. Reads the beginning of each file, follows no link, and changes nothing. */
export function findSessions({ agents, paths, environment, home }: FindOptions): FoundSessions {
  const chosen = chosenStores(agents);
  const skipped: Skipped[] = [];
  const places = new Set<string>();
  const sessions = chosen.flatMap((store) => {
    const roots = paths === undefined ? placesOf(store, environment, home) : paths.flatMap((path) => given(store, resolve(path)));
    const files = roots.flatMap(({ root, from }) => {
      places.add(from);
      return filesOf(store, root, from, skipped);
    });
    const databases = files.filter(({ kind }) => kind === "database");
    const others = files.filter(({ kind }) => kind !== "database");
    return [others, ...databases.map((file) => [file])].flatMap((each) => sessionsOf(store, each, skipped));
  });
  return { sessions, skipped, places: [...places] };
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

/** A home, a store, a folder of one, or a file. */
function given(store: Store, path: string): readonly Root[] {
  const inside = store.places.filter(({ home }) => isDirectory(join(path, home))).map(({ home }) => join(path, home));
  if (inside.length > 0) return inside.map((root) => ({ root, from: root }));
  return [{ root: placeIn(store, path) ?? dirname(dirname(path)), from: path }];
}

/** The part of a path that is a place of the store, wherever its home is. */
function placeIn({ places }: Store, path: string): string | undefined {
  const place = places.find(({ home }) => `${path}/`.includes(`/${home}/`));
  return place === undefined ? undefined : path.slice(0, `${path}/`.indexOf(`/${place.home}/`) + place.home.length + 1);
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function filesOf(store: Store, root: string, from: string, skipped: Skipped[]): readonly SessionFile[] {
  const found: SessionFile[] = [];
  const see = (path: string) => {
    const name = relative(placeIn(store, path) ?? root, path)
      .split(sep)
      .join("/");
    const kind = store.kind(name);
    if (kind === undefined) return;
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
