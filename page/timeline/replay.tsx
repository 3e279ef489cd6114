import { useEffect, useRef, useState } from "preact/hooks";
import { duration } from "../../src/pure/base/index.ts";
import { isTyping, useKeys } from "../parts/index.ts";
import type { Columns } from "./columns.ts";

interface Props {
  readonly columns: Columns;
  readonly count: number;
  /** Undefined if everything is shown. */
  readonly until: number | undefined;
  readonly setUntil: (until: number | undefined) => void;
  readonly isLive: boolean;
}

const SPEEDS = [0.1, 0.25, 1, 4, 16, 64, 256] as const;
/** The longest pause between two events. */
const LONGEST_PAUSE_MS = 1500;

export function Replay({ columns, count, until, setUntil, isLive }: Props) {
  const [isPlaying, setPlaying] = useState(false);
  const total = columns.ms[count - 1] ?? 0;
  const [chosen, setSpeed] = useState<number>();
  const speed = chosen ?? usualSpeed(total);
  const now = useRef(until ?? total);
  now.current = until ?? total;
  useEffect(() => {
    if (!isPlaying) return;
    let last = performance.now();
    let frame = requestAnimationFrame(function step(time) {
      const next = nextMoment(columns, count, now.current, (time - last) * speed, LONGEST_PAUSE_MS * speed);
      last = time;
      if (next >= total) {
        setPlaying(false);
        setUntil(undefined);
        return;
      }
      setUntil(next);
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, speed, total]);
  const turn = () => {
    if (!isPlaying && (until === undefined || until >= total)) setUntil(0);
    setPlaying(!isPlaying);
  };
  useKeys((event) => {
    if (event.key !== " " || isTyping(event.target) || (event.target instanceof Element && event.target.closest("button,a"))) return;
    event.preventDefault();
    turn();
  });
  if (isLive || total === 0) return null;
  return (
    <div class="replay">
      <button type="button" class="quiet play" onClick={turn} aria-label={isPlaying ? "Pause the replay" : "Replay the run"}>
        {isPlaying ? "❚❚" : "▶"}
      </button>
      <input
        type="range"
        aria-label="Moment of the run"
        aria-valuetext={duration(until ?? total)}
        min="0"
        max={total}
        step="any"
        value={until ?? total}
        onInput={(event) => {
          setPlaying(false);
          const value = Number(event.currentTarget.value);
          setUntil(value >= total ? undefined : value);
        }}
      />
      <span class="mono small">
        {duration(until ?? total)} of {duration(total)}
      </span>
      <select aria-label="Speed" value={String(speed)} onChange={(event) => setSpeed(Number(event.currentTarget.value))}>
        {SPEEDS.map((each) => (
          <option key={each} value={String(each)}>
            {each} ×
          </option>
        ))}
      </select>
      {until !== undefined && (
        <button
          type="button"
          class="link"
          aria-label="Show all"
          onClick={() => {
            setPlaying(false);
            setUntil(undefined);
          }}
        >
          all
        </button>
      )}
    </div>
  );
}

/** Slow for short runs, fast for long ones. */
function usualSpeed(totalMs: number): number {
  return totalMs < 5_000 ? 0.25 : totalMs < 60_000 ? 1 : totalMs < 900_000 ? 4 : 64;
}

/** The next moment of the replay; long pauses are shortened. */
function nextMoment({ ms }: Columns, count: number, now: number, by: number, longest: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ms[middle] ?? 0) <= now) low = middle + 1;
    else high = middle;
  }
  const next = ms[low] ?? Number.POSITIVE_INFINITY;
  return next - now > longest ? next - longest + by : now + by;
}
