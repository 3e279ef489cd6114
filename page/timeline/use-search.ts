import { useEffect, useRef, useState } from "preact/hooks";
import type { RunSource } from "../source/index.ts";

export interface Search {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The events that hold it, in order. */
  readonly order: readonly number[];
  readonly isLooking: boolean;
  /** There may be more: nobody steps through so many. */
  readonly isCut: boolean;
}

const TYPED_MS = 200;
/** While much is found, it is told now and then. */
const TOLD_MS = 250;
const MOST = 50_000;

/** Looks through the whole run, wherever it is kept, tells as it finds, and goes on as the run does. */
export function useSearch(source: RunSource, count: number): Search {
  const [text, setText] = useState("");
  /** What was found of which text: another one begins with nothing, at once. */
  const [told, setTold] = useState({ text: "", order: nothing, isOver: true });
  const { order, isOver } = told.text === text ? told : { order: nothing, isOver: text.trim() === "" };
  const goOn = useRef<(count: number) => void>(() => {});
  useEffect(() => {
    if (text.trim() === "") return;
    const looking = look(source, text, (found, isWhole) => setTold({ text, order: found, isOver: isWhole }));
    goOn.current = looking.goOn;
    const timer = setTimeout(() => looking.goOn(count), TYPED_MS);
    return () => {
      goOn.current = () => {};
      clearTimeout(timer);
      looking.stop();
    };
  }, [source, text]);
  useEffect(() => goOn.current(count), [count]);
  return { text, setText, order, isLooking: !isOver, isCut: order.length >= MOST };
}

const nothing: readonly number[] = [];

function look(source: RunSource, text: string, tell: (found: readonly number[], isOver: boolean) => void) {
  const found: number[] = [];
  let looked = 0;
  let count = 0;
  let isRunning = false;
  let stopped = false;

  async function run(): Promise<void> {
    let told = performance.now();
    while (looked < count && found.length < MOST) {
      const part = await source.search(text, looked + 1);
      if (stopped) return;
      for (const seq of part.seqs) found.push(seq);
      looked = part.next === null ? Math.max(looked, part.looked) : part.next - 1;
      if (part.next === null && part.looked < count) break; // it is not there yet
      if (performance.now() - told < TOLD_MS) continue;
      told = performance.now();
      tell([...found], false);
    }
  }

  return {
    /** So many events are there now. */
    goOn(now: number): void {
      count = Math.max(count, now);
      if (isRunning || stopped || looked >= count) return;
      isRunning = true;
      const over = () => {
        isRunning = false;
        if (!stopped) tell([...found], true);
      };
      run().then(over, over); // where the server is away, the next letter or the next event asks again
    },
    stop(): void {
      stopped = true;
    },
  };
}
