import { useEffect, useState } from "preact/hooks";
import type { UsagePoint } from "../../src/pure/timeline/index.ts";
import type { RunSource } from "../source/index.ts";

const AGAIN_MS = 2000;

/** Usage over time, refreshed while the run is live. */
export function useUsage(source: RunSource, grows: boolean, isWanted = grows): readonly UsagePoint[] | undefined {
  const [points, setPoints] = useState<readonly UsagePoint[]>();
  useEffect(() => {
    if (!isWanted) return;
    let stopped = false;
    const look = () =>
      source.usage().then(
        (found) => stopped || setPoints(found),
        () => {}, // the server is down; keep the last values
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
