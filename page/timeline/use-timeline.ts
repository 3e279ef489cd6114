import { useEffect, useRef, useState } from "preact/hooks";
import type { LogState } from "../../src/pure/timeline/index.ts";
import type { RunPage, RunSource } from "../source/index.ts";
import { type Columns, columns } from "./columns.ts";

export interface TimelineState {
  readonly page: RunPage;
  readonly log: LogState;
  readonly columns: Columns;
  /** How many events are in the columns. */
  readonly count: number;
  readonly isConnected: boolean;
}

/** What is known of all events of a run, as it comes in. */
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

    function tell(): void {
      if (alive.current && page !== undefined && log !== undefined)
        setState({ page, log, columns: table, count: table.count, isConnected });
    }

    /** To the end of what there is, also for those who ask while it goes on. */
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
          tell();
          await nextFrame();
        }
      } catch {
        isConnected = false; // the news will tell when it is back
        tell();
      }
    }

    async function told(next: LogState): Promise<void> {
      const wasDone = log?.done ?? false;
      log = next;
      if (table.count > 0 || next.count === 0) tell(); // what is on its way is not nothing
      await load();
      if (table.count < next.count) await load(); // what was going on had come to its end before this was told
      if (!next.done || wasDone || !alive.current) return;
      page = await source.page().catch(() => page); // it has ended: its row says how
      tell();
    }

    void source.page().then(
      (first) => {
        if (!alive.current) return;
        page = first;
        void told(first.log);
        if (first.log.done) return;
        stop = source.follow(
          (next) => void told(next),
          (connected) => {
            isConnected = connected;
            tell();
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
