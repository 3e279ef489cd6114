import { isOverflow } from "./context/index.ts";
import type { Failure } from "./failure.ts";

export interface RetryOptions {
  /** How many times to ask again. Default: as long as `patienceMs` lasts if the provider is overloaded or limits the rate; twice otherwise. */
  readonly retries?: number;
  /** How long to wait in total for a provider that is overloaded or limits the rate. Default: five minutes. */
  readonly patienceMs?: number;
  /** The first wait, if the provider does not say how long; it doubles each time, up to half a minute. Default: one second. */
  readonly firstWaitMs?: number;
}

const PATIENCE_MS = 5 * 60_000;
const LONGEST_STEP_MS = 30_000;
const OTHER_RETRIES = 2;

/** Decides about the retries of one answer. */
export function retryPlan({ retries, patienceMs = PATIENCE_MS, firstWaitMs = 1000 }: RetryOptions) {
  let attempts = 0;
  let total = 0;
  return {
    /** How long to wait before the next attempt; undefined if there is none. */
    next(failure: Failure): number | undefined {
      if (!failure.isTransient || isOverflow(failure)) return undefined;
      const isBusy = isOverloaded(failure);
      if (attempts >= (retries ?? (isBusy ? Number.POSITIVE_INFINITY : OTHER_RETRIES))) return undefined;
      const step = Math.min(LONGEST_STEP_MS, firstWaitMs * 2 ** attempts);
      const delay = failure.retryAfterMs ?? Math.round(step * (0.75 + Math.random() / 4)); // clients that failed together do not return together
      if (total + delay > patienceMs) return undefined;
      attempts++;
      total += delay;
      return delay;
    },
    get attempts() {
      return attempts;
    },
  };
}

/** The server is there, and has no time now. Some say so only within the stream. */
function isOverloaded({ code, status, message }: Failure): boolean {
  if (code === "http") return status === 429 || (status !== undefined && status >= 500);
  return /overloaded|rate.?limit|capacity|try again later/i.test(message);
}

/** False if the signal came first. */
export function waited(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isOver: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      resolve(isOver);
    };
    const stop = () => settle(false);
    const timer = setTimeout(() => settle(true), milliseconds);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}
