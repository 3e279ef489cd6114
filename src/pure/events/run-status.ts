import { described, nullable, oneOf, type Static } from "../base/index.ts";

export const runStatuses = ["completed", "failed", "blocked", "timed_out", "hung", "canceled", "crashed", "infrastructure"] as const;
export const runStatus = oneOf(...runStatuses);
export type RunStatus = Static<typeof runStatus>;

export const statusOrNull = described(nullable(runStatus), "How the run ended; null if unknown");
