import { availableParallelism } from "node:os";

/** How many trials there may be at once. */
export interface Limits {
  readonly total: number;
  /** For agents that have a limit of their own. */
  readonly perAgent?: Readonly<Record<string, number>>;
}

/** Default: as many as there are cores. */
export function limitsOf(concurrency: number | Limits = availableParallelism()): Limits {
  return typeof concurrency === "number" ? { total: concurrency } : concurrency;
}
