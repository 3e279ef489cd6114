import { type Comparison, entriesOf, type Manifest } from "../../host/workspace/index.ts";
import type { Event, LookedUp } from "../../pure/events/index.ts";
import { runSummary } from "../../pure/pipeline/index.ts";
import { filesNamedIn } from "../../pure/views/index.ts";

const MOST = 1_000;

/** Collects the paths that an agent says it has written: in its calls, and in its final answer. */
export function declaredWrites() {
  const paths = new Set<string>();
  const summary = runSummary();
  return {
    see(events: readonly Event[]): void {
      for (const event of events) {
        const { body, call } = event;
        summary.see(event);
        if (body.type !== "tool-end" || paths.size >= MOST) continue;
        for (const operation of body.operations ?? call?.start.body.operations ?? [])
          if (operation.kind === "write") paths.add(operation.path);
      }
    },
    paths: (): readonly string[] => [...paths],
    /** Files that the final answer names; prose may leave out their folder. */
    named: (): readonly string[] => filesNamedIn(summary.summary().output ?? ""),
  };
}

interface Compared {
  readonly before: Manifest;
  readonly after: Manifest;
  readonly comparison: Comparison;
}

/**
 * The final state of each path that is in the workspace and has not changed. One of `named` is absent if no file in any folder has its name.
 * Behind a link, a path means a file elsewhere, so its state is not known.
 */
export function lookUp(
  paths: readonly string[],
  named: readonly string[],
  workspace: string,
  { before, after, comparison }: Compared,
): readonly LookedUp[] {
  const changed = new Set(comparison.changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])));
  const placed = (some: readonly string[]) => some.flatMap((path) => placeIn(path, workspace)).filter((path) => !changed.has(path));
  const wanted = new Set(placed(paths));
  const known = new Set(placed(named));
  const loose = new Map([...known].map((path) => [nameOf(path), path]));
  for (const { path } of comparison.changes) loose.delete(nameOf(path));
  if (wanted.size + loose.size === 0) return [];
  const times = new Map<string, number | undefined>();
  for (const { path, mtime } of entriesOf(before)) if (wanted.has(path) || known.has(path)) times.set(path, mtime);
  const found: LookedUp[] = [];
  const links = [...entriesOf(before), ...entriesOf(after)].flatMap(({ path, link }) => (link === undefined ? [] : [path]));
  const isLinked = (path: string) => links.some((link) => path === link || path.startsWith(`${link}/`));
  for (const { path, mtime } of entriesOf(after)) {
    loose.delete(nameOf(path));
    if (wanted.delete(path) || known.has(path))
      found.push({ path, state: times.has(path) && times.get(path) === mtime ? "same" : "rewritten" });
  }
  const absent = [...new Set([...wanted, ...loose.values()])].map((path): LookedUp => ({ path, state: "absent" }));
  return [...found, ...absent].filter(({ path }) => !isLinked(path));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

/** Plain paths only: we do not expand shell patterns. */
function placeIn(path: string, workspace: string): readonly string[] {
  if (/[$*~`]/.test(path)) return [];
  const inner = path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
  return inner.startsWith("/") || inner === "" || inner.split("/").includes("..") ? [] : [inner.replace(/^(?:\.\/)+|\/+$/g, "")];
}
