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

/** The runs of a data directory, and runs that were opened from other places. */
export interface RunList {
  /** Runs after `before`, newest first. */
  page(before: string | undefined, limit: number): Promise<{ readonly rows: readonly RunRow[]; readonly next: string | null }>;
  /** All runs, newest first. */
  ids(): readonly string[];
  row(id: string): Promise<RunRow>;
  /** A run's directory; undefined if there is none. Only a valid run id becomes part of a path. */
  directory(id: string): string | undefined;
  /** Changes since the last call: new and changed rows, and ids of deleted runs. */
  news(): Promise<{ readonly rows: readonly RunRow[]; readonly gone: readonly string[] }>;
}

export function runList(data: DataDirectory, others: ReadonlyMap<string, string>): RunList {
  /** Finished runs do not change. */
  const finished = new Map<string, RunRow>();
  /** The last row sent for each run that may still change. */
  const sent = new Map<string, string>();
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
      if (manifest.sealed === undefined) sent.set(id, JSON.stringify(now));
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
        if (rows.length % 50 === 0) await nextTurn(); // let other requests in
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
        const before = sent.get(id);
        if (before === undefined && (known.has(id) || known.size === 0)) continue;
        sent.delete(id);
        const current = await row(id);
        if (JSON.stringify(current) !== before) changed.push(current);
      }
      const gone = [...known].filter((id) => !now.has(id));
      for (const id of gone) {
        finished.delete(id);
        sent.delete(id);
      }
      known = now;
      return { rows: changed, gone };
    },
  };
}

export function manifestAt(directory: string): RunManifest {
  return readManifest(runPaths(directory).manifest);
}
