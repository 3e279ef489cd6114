import type { Turn } from "./turn.ts";

/** A provider that wants us to wait longer is not waited for: whoever runs the agent should know. */
const LONGEST_MS = 60_000;

/** How long to wait before a model is asked again; undefined where that would not help. */
export function retryDelay({ failure }: Turn, attempt: number): number | undefined {
  if (failure?.isTransient !== true) return undefined;
  const delay = failure.retryAfterMs ?? 500 * 2 ** attempt;
  return delay > LONGEST_MS ? undefined : delay;
}

/** False where the signal came first. */
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
