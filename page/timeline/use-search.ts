import { useEffect, useRef, useState } from "preact/hooks";
import type { RunSource } from "../source/index.ts";

export interface Search {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The matching events in order. */
  readonly order: readonly number[];
  readonly isLooking: boolean;
  /** The limit was reached; there may be more. */
  readonly isCut: boolean;
}

const TYPED_MS = 200;
/** Interim results appear this often. */
const REPORT_MS = 250;
const MOST = 50_000;

/** Searches the whole run, reports matches as it finds them, and continues while the run grows. */
export function useSearch(source: RunSource, count: number): Search {
  const [text, setText] = useState("");
  /** The results with their text, so that a new text starts empty. */
  const [results, setResults] = useState({ text: "", order: nothing, isOver: true });
  const { order, isOver } = results.text === text ? results : { order: nothing, isOver: text.trim() === "" };
  const extend = useRef<(count: number) => void>(() => {});
  useEffect(() => {
    if (text.trim() === "") return;
    const looking = look(source, text, (found, isWhole) => setResults({ text, order: found, isOver: isWhole }));
    extend.current = looking.extend;
    const timer = setTimeout(() => looking.extend(count), TYPED_MS);
    return () => {
      extend.current = () => {};
      clearTimeout(timer);
      looking.stop();
    };
  }, [source, text]);
  useEffect(() => extend.current(count), [count]);
  return { text, setText, order, isLooking: !isOver, isCut: order.length >= MOST };
}

const nothing: readonly number[] = [];

function look(source: RunSource, text: string, report: (found: readonly number[], isOver: boolean) => void) {
  const found: number[] = [];
  let looked = 0;
  let count = 0;
  let isRunning = false;
  let stopped = false;

  async function run(): Promise<void> {
    let reported = performance.now();
    while (looked < count && found.length < MOST) {
      const part = await source.search(text, looked + 1);
      if (stopped) return;
      for (const seq of part.seqs) found.push(seq);
      looked = part.next === null ? Math.max(looked, part.looked) : part.next - 1;
      if (part.next === null && part.looked < count) break; // more events are not derived yet
      if (performance.now() - reported < REPORT_MS) continue;
      reported = performance.now();
      report([...found], false);
    }
  }

  return {
    /** Continues up to this many events. */
    extend(now: number): void {
      count = Math.max(count, now);
      if (isRunning || stopped || looked >= count) return;
      isRunning = true;
      const over = () => {
        isRunning = false;
        if (!stopped) report([...found], true);
      };
      run().then(over, over); // if the server is down, the next letter or event tries again
    },
    stop(): void {
      stopped = true;
    },
  };
}
