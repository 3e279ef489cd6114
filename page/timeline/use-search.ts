import { useEffect, useState } from "preact/hooks";
import type { RunSource } from "../source/run-source.ts";

export interface Search {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The events that hold it, in order. */
  readonly order: readonly number[];
  readonly isLooking: boolean;
}

const TYPED_MS = 200;

/** Looks through the whole run, wherever it is kept, and tells as it finds. */
export function useSearch(source: RunSource, count: number): Search {
  const [text, setText] = useState("");
  const [order, setOrder] = useState<readonly number[]>([]);
  const [isLooking, setLooking] = useState(false);
  useEffect(() => {
    let stopped = false;
    setOrder([]);
    if (text.trim() === "") return;
    setLooking(true);
    const timer = setTimeout(async () => {
      const found: number[] = [];
      try {
        for (let next: number | null = 1; next !== null && !stopped; ) {
          const part: Awaited<ReturnType<RunSource["search"]>> = await source.search(text, next);
          if (stopped) return;
          found.push(...part.seqs);
          next = part.next;
          setOrder([...found]);
        }
      } catch {
        // The server is away; the next letter asks again.
      }
      if (!stopped) setLooking(false);
    }, TYPED_MS);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [source, text, Math.floor(Math.log2(count + 1))]);
  return { text, setText, order, isLooking };
}
