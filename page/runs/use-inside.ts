import { useEffect, useState } from "preact/hooks";
import { askJson } from "../source/ask.ts";

export interface Inside {
  /** What is looked for in the runs themselves; empty: nothing. */
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly ids: ReadonlySet<string>;
  readonly isLooking: boolean;
}

interface Found {
  readonly ids: readonly string[];
  readonly next: string | null;
}

/** Looks into the runs: what was said, read, written and run there. */
export function useInside(): Inside {
  const [text, setText] = useState("");
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [isLooking, setLooking] = useState(false);
  useEffect(() => {
    let stopped = false;
    setIds(new Set());
    setLooking(text !== "");
    const look = async () => {
      const found: string[] = [];
      for (let next: string | null = ""; next !== null && !stopped; ) {
        const part: Found = await askJson(
          `/api/find?q=${encodeURIComponent(text)}${next === "" ? "" : `&before=${encodeURIComponent(next)}`}`,
        );
        if (stopped) return;
        found.push(...part.ids);
        next = part.next;
        setIds(new Set(found));
      }
    };
    if (text !== "")
      void look().then(
        () => stopped || setLooking(false),
        () => stopped || setLooking(false),
      );
    return () => {
      stopped = true;
    };
  }, [text]);
  return { text, setText, ids, isLooking };
}
