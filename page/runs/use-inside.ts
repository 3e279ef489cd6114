import { useEffect, useState } from "preact/hooks";
import { askJson } from "../source/index.ts";

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
  const key = `${place} ${text}`;
  /** What was found of what: another search begins with nothing, at once. */
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
