import { useEffect, useState } from "preact/hooks";
import type { UsagePoint } from "../../src/pure/timeline/index.ts";
import type { RunSource } from "../source/index.ts";

const AGAIN_MS = 2000;

/** What the run had used when; asked again while there may be more. */
export function useUsage(source: RunSource, grows: boolean, isWanted = grows): readonly UsagePoint[] | undefined {
  const [points, setPoints] = useState<readonly UsagePoint[]>();
  useEffect(() => {
    if (!isWanted) return;
    let stopped = false;
    const look = () =>
      source.usage().then(
        (found) => stopped || setPoints(found),
        () => {}, // the server is away; what was known stays
      );
    void look();
    const timer = grows ? setInterval(look, AGAIN_MS) : undefined;
    return () => {
      stopped = true;
      clearInterval(timer);
    };
  }, [source, grows, isWanted]);
  return points;
}
