import { useEffect, useState } from "preact/hooks";
import { askJson } from "../source/ask.ts";

/** Where it is looked for, and what that is called. */
export const places = { all: "in everything", tool: "in names of tools", path: "in paths of files" } as const;
export type Place = keyof typeof places;

export interface Inside {
  /** What is looked for in the runs themselves; empty: nothing. */
  readonly text: string;
  readonly place: Place;
  readonly look: (text: string, place: Place) => void;
  readonly ids: ReadonlySet<string>;
  readonly isLooking: boolean;
}

interface Found {
  readonly ids: readonly string[];
  readonly next: string | null;
}

/** Looks into the runs: what was said, read, written and run there. */
export function useInside(): Inside {
  const [{ text, place }, setWanted] = useState<{ readonly text: string; readonly place: Place }>({ text: "", place: "all" });
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
          `/api/find?in=${place}&q=${encodeURIComponent(text)}${next === "" ? "" : `&before=${encodeURIComponent(next)}`}`,
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
  }, [text, place]);
  return { text, place, look: (wanted, where) => setWanted({ text: wanted, place: where }), ids, isLooking };
}
