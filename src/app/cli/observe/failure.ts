export const FAILURES = ["check", "contradiction"] as const;

/** What makes an observation that completed fail. */
export type Failure = (typeof FAILURES)[number];
