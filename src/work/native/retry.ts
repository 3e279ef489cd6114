import type { Turn } from "./turn.ts";

/** We do not wait longer, even if a provider asks for it: the user should know. */
const LONGEST_MS = 60_000;

/** How long to wait before a retry; undefined if a retry would not help. */
export function retryDelay({ failure }: Turn, attempt: number): number | undefined {
  if (failure?.isTransient !== true) return undefined;
  const delay = failure.retryAfterMs ?? 500 * 2 ** attempt;
  return delay > LONGEST_MS ? undefined : delay;
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
