import type { RunRow } from "../../src/pure/pipeline/index.ts";
import { askJson } from "./ask.ts";
import { follow } from "./follow.ts";

interface Part {
  readonly rows: readonly RunRow[];
  readonly next: string | null;
  readonly directory: string;
}

export interface RunsState {
  readonly rows: readonly RunRow[];
  /** More runs are still loading. */
  readonly loading: boolean;
  readonly directory: string;
}

interface News {
  readonly rows: readonly RunRow[];
  readonly gone: readonly string[];
}

/** All runs, with live updates. An error is reported once. */
export function followRuns(
  onState: (state: RunsState) => void,
  failed: (error: unknown) => void,
  connected: (isConnected: boolean) => void,
): () => void {
  const rows = new Map<string, RunRow>();
  let directory = "";
  let stopped = false;
  let loading = true;
  let wasConnected = false;

  function report(): void {
    if (!stopped) onState({ rows: [...rows.values()].sort(byAge), loading, directory });
  }

  async function load(): Promise<void> {
    loading = true;
    const seen = new Set<string>();
    try {
      for (let next: string | null = ""; next !== null && !stopped; ) {
        const part: Part = await askJson(`/api/runs${next === "" ? "" : `?before=${encodeURIComponent(next)}`}`);
        for (const row of part.rows) {
          rows.set(row.id, row);
          seen.add(row.id);
        }
        ({ next, directory } = part);
        loading = next !== null;
        if (!loading) for (const id of rows.keys()) if (!seen.has(id)) rows.delete(id);
        report();
      }
    } catch (error) {
      loading = false;
      if (!stopped) failed(error);
    }
  }

  void load();
  const stop = follow<News>(
    "/api/live",
    (news) => {
      for (const row of news.rows) rows.set(row.id, row);
      for (const id of news.gone) rows.delete(id);
      report();
    },
    (isConnected) => {
      if (isConnected && wasConnected) void load(); // after an outage, load everything again
      wasConnected ||= isConnected;
      connected(isConnected);
    },
    () => false,
  );
  return () => {
    stopped = true;
    stop();
  };
}

/** Live runs first, then the newest. */
function byAge(a: RunRow, b: RunRow): number {
  const live = Number(b.status === "running") - Number(a.status === "running");
  return live || (b.startedAt ?? 0) - (a.startedAt ?? 0) || (a.id < b.id ? 1 : -1);
}
