import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { lockOwner } from "../../host/files/index.ts";
import {
  type DataDirectory,
  damagedRow,
  isRunDirectory,
  isRunId,
  type RunManifest,
  readManifest,
  rowOfRun,
  runIds,
  runPaths,
} from "../../host/recording/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import type { RunRow } from "../../pure/pipeline/index.ts";
import { liveFigures } from "./live-figures.ts";

/** The runs that can be looked at: those of a data directory, and some that lie elsewhere. */
export interface RunList {
  /** Newest first, from after `before` on. */
  page(before: string | undefined, limit: number): Promise<{ readonly rows: readonly RunRow[]; readonly next: string | null }>;
  /** All of them, newest first. */
  ids(): readonly string[];
  row(id: string): Promise<RunRow>;
  /** Where a run is; undefined for a name that none has. Only what can name a run becomes part of a path. */
  directory(id: string): string | undefined;
  /** What has changed since it was last asked: rows, and the ids of runs that are gone. */
  news(): Promise<{ readonly rows: readonly RunRow[]; readonly gone: readonly string[] }>;
}

export function runList(data: DataDirectory, others: ReadonlyMap<string, string>): RunList {
  /** A finished run stays as it is. */
  const finished = new Map<string, RunRow>();
  /** What was last told of a run that may still change. */
  const told = new Map<string, string>();
  const figures = liveFigures();
  let known: ReadonlySet<string> = new Set();

  function ids(): readonly string[] {
    return [...others.keys(), ...runIds(data).filter((id) => !others.has(id))];
  }

  function directory(id: string): string | undefined {
    const other = others.get(id);
    if (other !== undefined) return other;
    const path = join(data.runs, id);
    return isRunId(id) && isRunDirectory(path) ? path : undefined;
  }

  async function row(id: string): Promise<RunRow> {
    const before = finished.get(id);
    if (before !== undefined) return before;
    const place = others.get(id) ?? join(data.runs, id);
    try {
      const manifest = readManifest(runPaths(place).manifest);
      const isWritten = manifest.sealed === undefined && (await lockOwner(place)) !== undefined;
      const now = { ...rowOfRun(manifest, place, isWritten), ...(isWritten && figures.of(place)) };
      if (!isWritten) figures.forget(place);
      if (manifest.sealed === undefined) told.set(id, JSON.stringify(now));
      else finished.set(id, now);
      return now;
    } catch (error) {
      if (!(error instanceof HarnessError)) throw error;
      return damagedRow(id);
    }
  }

  return {
    async page(before, limit) {
      const all = ids();
      const start = before === undefined ? 0 : all.indexOf(before) + 1;
      const rows: RunRow[] = [];
      for (const id of all.slice(start, start + limit)) {
        rows.push(await row(id));
        if (rows.length % 50 === 0) await nextTurn(); // others want to be answered too
      }
      return { rows, next: start + limit < all.length ? (rows.at(-1)?.id ?? null) : null };
    },
    ids,
    row,
    directory,
    async news() {
      const now = new Set(ids());
      const changed: RunRow[] = [];
      for (const id of now) {
        const before = told.get(id);
        if (before === undefined && (known.has(id) || known.size === 0)) continue;
        told.delete(id);
        const current = await row(id);
        if (JSON.stringify(current) !== before) changed.push(current);
      }
      const gone = [...known].filter((id) => !now.has(id));
      for (const id of gone) {
        finished.delete(id);
        told.delete(id);
      }
      known = now;
      return { rows: changed, gone };
    },
  };
}

export function manifestAt(directory: string): RunManifest {
  return readManifest(runPaths(directory).manifest);
}
