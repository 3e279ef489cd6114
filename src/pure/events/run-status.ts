import { described, nullable, oneOf, type Static } from "../base/index.ts";

export const runStatus = oneOf("completed", "failed", "blocked", "timed_out", "hung", "canceled", "crashed", "infrastructure");
export type RunStatus = Static<typeof runStatus>;

export const statusOrNull = described(nullable(runStatus), "How the run ended; null if unknown");
