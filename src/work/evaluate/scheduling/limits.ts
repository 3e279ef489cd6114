import { availableParallelism } from "node:os";

/** How many trials may run in parallel. */
export interface Limits {
  readonly total: number;
  /** For agents with their own limit. */
  readonly perAgent?: Readonly<Record<string, number>>;
}

/** Default: the number of cores. */
export function limitsOf(concurrency: number | Limits = availableParallelism()): Limits {
  return typeof concurrency === "number" ? { total: concurrency } : concurrency;
}
