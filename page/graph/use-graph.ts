import { useEffect, useState } from "preact/hooks";
import type { Evaluated } from "../../src/pure/pipeline/index.ts";
import { eachEvent, type PageEvent, type RunSource } from "../source/index.ts";
import type { TimelineState } from "../timeline/index.ts";
import { type GraphWindow, openBefore } from "./graph-window.ts";
import { type Steps, stepsOf } from "./steps-of.ts";

/** A live run is redrawn after so many new events. */
const MORE = 1.2;

/** The steps of a window; undefined before the first. The last result stays until the next is ready. */
export function useGraph(
  source: RunSource,
  { columns, count, log }: TimelineState,
  { first, last }: GraphWindow,
  evaluated: Evaluated,
): { readonly drawn?: Steps; readonly error?: unknown } {
  const [drawn, setDrawn] = useState<Steps>();
  const [error, setError] = useState<unknown>();
  const growth = Math.floor(Math.log(Math.max(1, last - first + 1)) / Math.log(MORE));
  const isHere = log.done && count === log.count;
  useEffect(() => {
    let isWanted = true;
    const read = async () => {
      const events: PageEvent[] = [];
      const before = openBefore(columns, first);
      if (before.length > 0) events.push(...(await source.events(before)));
      for await (const some of eachEvent(source, first, last)) {
        if (!isWanted) return;
        events.push(...some);
      }
      if (!isWanted) return;
      setError(undefined);
      setDrawn(stepsOf(events, evaluated));
    };
    if (last >= first) read().catch((problem: unknown) => isWanted && setError(problem));
    return () => {
      isWanted = false;
    };
  }, [source, first, growth, isHere]);
  return { ...(drawn && { drawn }), ...(error !== undefined && { error }) };
}
