import type { Stop } from "../../../pure/events/index.ts";
import { quietClock } from "./quiet-clock.ts";
import type { RunOptions } from "./run-options.ts";

const HEARTBEAT_MS = 1000;
const IDLE_WARNING_MS = 120_000;
const AFTER_RESULT_MS = 10_000;
/** The least time between two checks for a result. */
const LOOK_MS = 100;
const LONGEST_TIMER = 2 ** 31 - 1;

/** The clocks of a run: those that end it, one that reports silence, and one that checks its files. */
export interface RunClocks {
  /** The agent has printed something. */
  heard(): void;
  stop(): void;
}

/** What the clocks ask and trigger. */
export interface Bells {
  stop(reason: Stop): void;
  /** The agent was silent for this long; the next call comes after twice that time. */
  idle(quietMs: number): void;
  /** Whether the agent has reported its final result and only has to exit. */
  hasResult(): boolean;
  beat(): void;
}

/** How long an agent with a protocol may take to exit after its input was closed, when it has nothing left to do. */
export const AFTER_ANSWER_MS = 2000;

/** A time of zero means no limit. All times are measured on the monotonic clock. */
export function runClocks(options: RunOptions, bells: Bells): RunClocks {
  const { timeoutMs = 0, idleTimeoutMs = 0, idleWarningMs = IDLE_WARNING_MS, afterResultMs = AFTER_RESULT_MS } = options;
  const deadline = timeoutMs > 0 ? setTimeout(() => bells.stop("timeout"), Math.min(timeoutMs, LONGEST_TIMER)) : undefined;
  const beating = setInterval(() => bells.beat(), HEARTBEAT_MS);
  const quietClocks = [
    quietClock(afterResultMs, (quietMs) => {
      if (!bells.hasResult()) return quietMs + Math.max(afterResultMs, LOOK_MS);
      bells.stop("after-result");
      return undefined;
    }),
  ];
  if (idleWarningMs > 0) {
    quietClocks.push(
      quietClock(idleWarningMs, (quietMs) => {
        bells.idle(quietMs);
        return 2 * quietMs;
      }),
    );
  }
  if (idleTimeoutMs > 0) {
    quietClocks.push(
      quietClock(idleTimeoutMs, () => {
        bells.stop("idle");
        return undefined;
      }),
    );
  }

  return {
    heard() {
      for (const clock of quietClocks) clock.heard();
    },
    stop() {
      clearTimeout(deadline);
      clearInterval(beating);
      for (const clock of quietClocks) clock.stop();
    },
  };
}
