import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Evaluated, View } from "../../src/pure/pipeline/index.ts";
import type { RunSource } from "../source/index.ts";
import type { TimelineState } from "../timeline/index.ts";
import { type ViewPage, viewPages } from "./view-pages.ts";

export interface ReadPages {
  readonly pages: readonly ViewPage[];
  /** The shown page, counted from 0; -1 if there is none yet. */
  readonly shown: number;
  readonly text: string;
  readonly seen: number;
  readonly isReading: boolean;
  /** There are no more pages. */
  readonly isWhole: boolean;
  readonly error: string | undefined;
  /** Shows a page; derives it first if it is the next one. */
  go(index: number): void;
}

/** The pages of a view, derived on demand. */
export function useViewPages(view: View, source: RunSource, evaluated: Evaluated, { log, page }: TimelineState): ReadPages {
  const reader = useMemo(() => viewPages(view, source, evaluated), [view, source]);
  const [shown, setShown] = useState(-1);
  const [text, setText] = useState("");
  const [seen, setSeen] = useState(0);
  const [isReading, setReading] = useState(false);
  const [error, setError] = useState<string>();
  const alive = useRef(true);

  async function show(index: number): Promise<void> {
    setReading(true);
    setError(undefined);
    try {
      const onProgress = (count: number) => {
        if (alive.current) setSeen(count);
        return alive.current;
      };
      const found = reader.pages[index] ?? (await reader.next(log.count, log.done, onProgress));
      const shown = await found?.text.text();
      if (!alive.current || shown === undefined) return;
      setText(shown);
      setShown(Math.min(index, reader.pages.length - 1));
    } catch (problem) {
      if (alive.current) setError(problem instanceof Error ? problem.message : String(problem));
    } finally {
      if (alive.current) setReading(false);
    }
  }

  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);
  // Derive the first page when it is full or the run has ended; a live run shows what there is.
  const isReady = log.done || page.row.status === "running" || log.count > 40_000;
  useEffect(() => {
    if (isReady && log.count > 0) void show(0);
  }, [isReady, log.count > 0]);
  const go = (index: number) => {
    if (!isReading) void show(index);
  };
  return { pages: reader.pages, shown, text, seen, isReading, isWhole: log.done && reader.seen >= log.count, error, go };
}
