import { type Dirent, fstatSync, lstatSync, opendirSync, type Stats } from "node:fs";
import { HarnessError } from "../core/errors.ts";
import { codeOf, reasonOf } from "../store/log-error.ts";
import { type Budget, budgetOf } from "./budget.ts";
import { textOf } from "./byte-path.ts";
import { type Descent, descend } from "./descent.ts";
import { ignoring } from "./ignore.ts";
import { mountsBelow } from "./mounts.ts";

export type EntryType = "file" | "directory" | "link" | "fifo" | "socket" | "block-device" | "character-device" | "unknown";

/** Why the names in a directory are not, or not all, listed. */
export type Unlisted = "entry-budget" | "time-budget" | "denied" | "mount" | "changed" | "error";

/** The root is entered first. Entries come in the order of their names, a directory before what it holds, and then its end. */
export type Step =
  /** `at` is the path to use until the next step is asked for. Only a file may be opened. */
  | { readonly step: "entry"; readonly path: string; readonly name: string; readonly type: EntryType; readonly at: string | Buffer }
  | { readonly step: "enter"; readonly path: string; readonly name: string; readonly stats: Stats }
  | { readonly step: "leave"; readonly path: string; readonly name: string }
  /** Comes right after the directory it is about; the root is "". */
  | { readonly step: "unlisted"; readonly path: string; readonly reason: Unlisted }
  /** The last step: the directory we were in was moved away, and what is left of those above it cannot be reached. */
  | { readonly step: "lost"; readonly path: string }
  | { readonly step: "ignored"; readonly path: string };

export interface WalkOptions {
  readonly budget?: Budget;
  /** Our own rules, never the workspace's: a name anywhere, or a path from the root; `*` stands for any part of a name. */
  readonly ignore?: readonly string[];
  /** A link in the root's own place is followed. */
  readonly mayBeLink?: boolean;
  /** The way of systems other than Linux. */
  readonly byPath?: boolean;
}

interface Named {
  readonly name: string;
  readonly type: EntryType;
}

interface Level {
  readonly path: string;
  readonly name: string;
  readonly names: readonly Named[];
  next: number;
}

/** Every entry below a directory. Opens nothing but directories, follows nothing, waits for nothing. */
export function* walk(root: string, { budget = budgetOf(), ignore = [], mayBeLink, byPath }: WalkOptions = {}): Generator<Step, void> {
  const descent = opened(root, { mayBeLink, byPath });
  const isIgnored = ignoring(ignore);
  const mounts = mountsBelow(root);
  let room = budget.entries;
  try {
    const levels: Level[] = [];
    yield { step: "enter", path: "", name: "", stats: fstatSync(descent.fd()) };
    yield* list("", "");
    while (levels.length > 0) {
      const level = levels.at(-1) as Level;
      const entry = level.names[level.next++];
      if (entry === undefined) {
        levels.pop();
        if (levels.length === 0) return;
        yield { step: "leave", path: level.path, name: level.name };
        try {
          descent.leave();
        } catch {
          yield { step: "lost", path: level.path };
          return;
        }
        continue;
      }
      const { name, type } = entry;
      const path = level.path === "" ? name : `${level.path}/${name}`;
      if (isIgnored(path, name)) yield { step: "ignored", path };
      else if (type !== "directory") yield { step: "entry", path, name, type, at: descent.at(name) };
      else yield* down(path, name);
    }

    function* down(path: string, name: string): Generator<Step, void> {
      const reason = mounts.has(path) ? "mount" : budget.expired() ? "time-budget" : undefined;
      let stats: Stats | undefined;
      let failure: Unlisted | undefined = reason;
      if (reason === undefined) {
        try {
          stats = descent.enter(name);
        } catch (error) {
          failure = whyNot(error);
        }
      }
      if (stats === undefined) {
        yield { step: "entry", path, name, type: "directory", at: descent.at(name) };
        yield { step: "unlisted", path, reason: failure ?? "error" };
        return;
      }
      yield { step: "enter", path, name, stats };
      yield* list(path, name);
    }

    function* list(path: string, name: string): Generator<Step, void> {
      const found = namesIn(descent, room);
      room -= found.names.length;
      levels.push({ path, name, names: found.names, next: 0 });
      if (found.unlisted !== undefined) yield { step: "unlisted", path, reason: found.unlisted };
    }
  } finally {
    descent.close();
  }
}

function opened(root: string, options: { readonly mayBeLink: boolean | undefined; readonly byPath: boolean | undefined }): Descent {
  try {
    return descend(root, options);
  } catch (error) {
    const reason = codeOf(error) === "ENOENT" ? "there is no such directory" : reasonOf(error);
    throw new HarnessError("input", `Cannot read the directory ${root}: ${reason}.`, { cause: error });
  }
}

function namesIn(descent: Descent, room: number): { names: Named[]; unlisted?: Unlisted } {
  const names: Named[] = [];
  let unlisted: Unlisted | undefined;
  try {
    const directory = opendirSync(descent.here(), { encoding: "buffer", bufferSize: 256 } as never);
    try {
      for (;;) {
        const entry = directory.readSync() as Dirent<Buffer> | null;
        if (entry === null) break;
        if (names.length >= room) {
          unlisted = "entry-budget";
          break;
        }
        const name = textOf(entry.name);
        names.push({ name, type: typeOf(entry) ?? looked(descent.at(name)) });
      }
    } finally {
      directory.closeSync();
    }
  } catch (error) {
    unlisted = whyNot(error);
  }
  names.sort((a, b) => (a.name < b.name ? -1 : 1));
  return unlisted === undefined ? { names } : { names, unlisted };
}

/** Some file systems do not say in the listing what an entry is. */
function looked(at: string | Buffer): EntryType {
  try {
    return typeOf(lstatSync(at)) ?? "unknown";
  } catch {
    return "unknown";
  }
}

export function typeOf(entry: Dirent<Buffer> | Stats): EntryType | undefined {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  if (entry.isSymbolicLink()) return "link";
  if (entry.isFIFO()) return "fifo";
  if (entry.isSocket()) return "socket";
  if (entry.isBlockDevice()) return "block-device";
  if (entry.isCharacterDevice()) return "character-device";
  return undefined;
}

function whyNot(error: unknown): Unlisted {
  const code = codeOf(error);
  if (code === "EACCES" || code === "EPERM") return "denied";
  return ["ENOENT", "ELOOP", "ENOTDIR"].includes(code) ? "changed" : "error";
}
