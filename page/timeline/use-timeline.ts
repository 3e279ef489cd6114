import { useEffect, useRef, useState } from "preact/hooks";
import type { LogState } from "../../src/pure/timeline/index.ts";
import type { RunPage, RunSource } from "../source/index.ts";
import { type Columns, columns } from "./columns.ts";

export interface TimelineState {
  readonly page: RunPage;
  readonly log: LogState;
  readonly columns: Columns;
  readonly count: number;
  readonly isConnected: boolean;
}

/** The columns of a run, filled as its events arrive. */
export function useTimeline(source: RunSource): { readonly state?: TimelineState; readonly error?: unknown } {
  const [state, setState] = useState<TimelineState>();
  const [error, setError] = useState<unknown>();
  const alive = useRef(true);
  useEffect(() => {
    alive.current = true;
    const table = columns();
    let log: LogState | undefined;
    let page: RunPage | undefined;
    let loading: Promise<void> | undefined;
    let isConnected = true;
    let stop = () => {};

    function publish(): void {
      if (alive.current && page !== undefined && log !== undefined)
        setState({ page, log, columns: table, count: table.count, isConnected });
    }

    /** Loads all rows so far; callers during a load share it. */
    function load(): Promise<void> {
      loading ??= fill().finally(() => {
        loading = undefined;
      });
      return loading;
    }

    async function fill(): Promise<void> {
      try {
        while (alive.current && log !== undefined && table.count < log.count) {
          const rows = await source.rows(table.count);
          if (!alive.current || rows.byteLength === 0) break;
          table.append(rows);
          publish();
          await nextFrame();
        }
      } catch {
        isConnected = false; // the event stream reports when it is back
        publish();
      }
    }

    async function update(next: LogState): Promise<void> {
      const wasDone = log?.done ?? false;
      log = next;
      if (table.count > 0 || next.count === 0) publish(); // do not show an empty list while rows are loading
      await load();
      if (table.count < next.count) await load(); // a load in progress may have ended before these rows existed
      if (!next.done || wasDone || !alive.current) return;
      page = await source.page().catch(() => page); // the run has ended; get its final status
      publish();
    }

    void source.page().then(
      (first) => {
        if (!alive.current) return;
        page = first;
        void update(first.log);
        if (first.log.done) return;
        stop = source.follow(
          (next) => void update(next),
          (connected) => {
            isConnected = connected;
            publish();
          },
        );
      },
      (problem: unknown) => alive.current && setError(problem),
    );
    return () => {
      alive.current = false;
      stop();
    };
  }, [source]);
  return { ...(state && { state }), ...(error !== undefined && { error }) };
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
