import { errorWords } from "../../pure/base/index.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** Changes of several files that happen together. Reading shows what was changed so far; nothing is written before `commit`. */
export interface WorkspaceChanges {
  /** Undefined if there is no such file. */
  read(path: string): Buffer | undefined;
  write(path: string, content: Buffer): void;
  remove(path: string): void;
  /** Moves a file that `read` shows; it keeps its mode. */
  move(from: string, to: string, content: Buffer): void;
  /** Writes everything, or restores what it has written and throws. Returns the places that differ from before. */
  commit(): readonly string[];
}

interface State {
  readonly before: Buffer | undefined;
  readonly mode: number | undefined;
  now: Buffer | undefined;
  /** The mode that a new file gets. */
  newMode: number | undefined;
}

export function workspaceChanges(files: WorkspaceFiles): WorkspaceChanges {
  const states = new Map<string, State>();

  function stateOf(path: string, keepsLink = false): State {
    const { place, mode } = files.locate(path, keepsLink);
    const known = states.get(place);
    if (known !== undefined) return known;
    const before = mode === undefined ? undefined : files.read(place);
    const state: State = { before, mode, now: before, newMode: mode };
    states.set(place, state);
    return state;
  }

  function restore(places: readonly string[], error: unknown): never {
    const left = places.filter((place) => {
      const { before, mode } = states.get(place) as State;
      try {
        if (before !== undefined) files.write(place, before, mode);
        else if (files.exists(place)) files.remove(place);
        return false;
      } catch {
        return true;
      }
    });
    const rest = left.length === 0 ? "Nothing was changed." : `These files could not be restored: ${left.join(", ")}.`;
    throw new Error(`${errorWords(error)} ${rest}`, { cause: error });
  }

  return {
    read: (path) => stateOf(path).now,
    write(path, content) {
      stateOf(path).now = content;
    },
    remove(path) {
      stateOf(path, true).now = undefined;
    },
    move(from, to, content) {
      const [old, made] = [stateOf(from), stateOf(to)];
      old.now = undefined;
      made.now = content;
      made.newMode = old.newMode;
    },
    commit() {
      const changed = [...states].filter(([, { before, now }]) =>
        before === undefined || now === undefined ? before !== now : !before.equals(now),
      );
      const done: string[] = [];
      try {
        for (const [place, { now }] of changed) {
          if (now !== undefined) continue;
          done.push(place);
          files.remove(place);
        }
        for (const [place, { now, newMode }] of changed) {
          if (now === undefined) continue;
          done.push(place);
          files.write(place, now, newMode);
        }
      } catch (error) {
        restore(done.reverse(), error);
      }
      return changed.map(([place]) => place);
    },
  };
}
