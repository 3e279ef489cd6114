import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Evaluated, View } from "../../src/pure/pipeline/index.ts";
import type { RunSource } from "../source/index.ts";
import type { TimelineState } from "../timeline/index.ts";
import { type ViewPage, viewPages } from "./view-pages.ts";

export interface ReadPages {
  readonly pages: readonly ViewPage[];
  /** The page that is shown, counted from 0; -1: none yet. */
  readonly shown: number;
  readonly text: string;
  /** Events that were read so far. */
  readonly seen: number;
  readonly isReading: boolean;
  /** Nothing comes after the last page. */
  readonly isWhole: boolean;
  readonly error: string | undefined;
  /** Shows a page; the one after the last is made first. */
  go(index: number): void;
}

/** The pages of a view as somebody turns them. */
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
      const told = (count: number) => {
        if (alive.current) setSeen(count);
        return alive.current;
      };
      const found = reader.pages[index] ?? (await reader.next(log.count, log.done, told));
      const words = await found?.text.text();
      if (!alive.current || words === undefined) return;
      setText(words);
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
  // The first page is made when the run is over, or as soon as there is enough of one; of a live run it is what there is.
  const isReady = log.done || page.row.status === "running" || log.count > 40_000;
  useEffect(() => {
    if (isReady && log.count > 0) void show(0);
  }, [isReady, log.count > 0]);
  const go = (index: number) => {
    if (!isReading) void show(index);
  };
  return { pages: reader.pages, shown, text, seen, isReading, isWhole: log.done && reader.seen >= log.count, error, go };
}
