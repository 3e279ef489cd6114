import { useEffect, useState } from "preact/hooks";
import { askJson } from "../source/index.ts";

/** What to search, with its label. */
export const places = { all: "everything", tool: "tool names", path: "file paths" } as const;
export type Place = keyof typeof places;

export interface Inside {
  /** The text to find in the runs; empty for no search. */
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

/** Searches inside the runs: what was said, read, written and run. */
export function useInside(): Inside {
  const [{ text, place }, setWanted] = useState<{ readonly text: string; readonly place: Place }>({ text: "", place: "all" });
  const key = `${place} ${text}`;
  /** The results with their query, so that a new query starts empty. */
  const [found, setFound] = useState({ key: "", ids: nothing, isOver: true });
  const ours = found.key === key ? found : { ids: nothing, isOver: text === "" };
  useEffect(() => {
    let stopped = false;
    const tell = (ids: readonly string[], isOver: boolean) => stopped || setFound({ key, ids: new Set(ids), isOver });
    const ids: string[] = [];
    const look = async () => {
      for (let next: string | null = ""; next !== null && !stopped; ) {
        const part: Found = await askJson(
          `/api/find?in=${place}&q=${encodeURIComponent(text)}${next === "" ? "" : `&before=${encodeURIComponent(next)}`}`,
        );
        ids.push(...part.ids);
        next = part.next;
        tell(ids, next === null);
      }
    };
    if (text !== "") look().catch(() => tell(ids, true));
    return () => {
      stopped = true;
    };
  }, [key]);
  return { text, place, look: (wanted, where) => setWanted({ text: wanted, place: where }), ids: ours.ids, isLooking: !ours.isOver };
}

const nothing: ReadonlySet<string> = new Set();
