import { fstatSync, type Stats } from "node:fs";
import { codeOf, HarnessError } from "../../pure/base/index.ts";
import { reasonOf } from "../files/index.ts";
import { type Budget, budgetOf } from "./budget.ts";
import { type Descent, type DescentOptions, descend } from "./descent.ts";
import { ignoring } from "./ignore.ts";
import { mountsBelow } from "./mounts.ts";
import { type EntryType, type Named, namesIn, type Unlisted, whyUnlisted } from "./names-in.ts";

/** The root is entered first. Entries come sorted by name, a directory before its contents, followed by its end. */
export type Step =
  /** `at` is valid until its directory is released, otherwise until the next step is requested. Open only files. */
  | { readonly step: "entry"; readonly path: string; readonly name: string; readonly type: EntryType; readonly at: string | Buffer }
  | { readonly step: "enter"; readonly path: string; readonly name: string; readonly stats: Stats }
  | { readonly step: "leave"; readonly path: string; readonly name: string }
  /** Follows the directory it describes; the root is "". */
  | { readonly step: "unlisted"; readonly path: string; readonly reason: Unlisted }
  /** The last step: the current directory was moved away, so the rest of its parents is out of reach. */
  | { readonly step: "lost"; readonly path: string }
  | { readonly step: "ignored"; readonly path: string };

export interface WalkOptions extends DescentOptions {
  readonly budget?: Budget;
  /** Our own rules, never the workspace's: a name anywhere, or a path from the root; `*` matches any part of a name. */
  readonly ignore?: readonly string[];
}

/** Paths grow with depth, so listing a chain of directories takes quadratic time. */
const DEEPEST = 16 * 1024;

interface Level {
  readonly path: string;
  readonly name: string;
  readonly names: readonly Named[];
  next: number;
}

/** Every entry below a directory. Opens only directories, follows no link and never blocks. */
export function* walk(root: string, { budget = budgetOf(), ignore = [], ...options }: WalkOptions = {}): Generator<Step, void> {
  const descent = opened(root, options);
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
      const reason = mounts.has(path) ? "mount" : path.length > DEEPEST ? "depth-budget" : budget.expired() ? "time-budget" : undefined;
      let stats: Stats | undefined;
      let failure: Unlisted | undefined = reason;
      if (reason === undefined) {
        try {
          stats = descent.enter(name);
        } catch (error) {
          failure = whyUnlisted(error);
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

function opened(root: string, options: DescentOptions): Descent {
  try {
    return descend(root, options);
  } catch (error) {
    const reason = codeOf(error) === "ENOENT" ? "there is no such directory" : reasonOf(error);
    throw new HarnessError("input", `Cannot read the directory ${root}: ${reason}.`, { cause: error });
  }
}
