/** `harness-recorder/observe`: what an agent did, seen from outside, and whether a recording is intact. test/project/exports.test.ts pins the list. */

export type { Flaw } from "./host/recording/index.ts";
export type { DecisionEvent } from "./pure/views/index.ts";
export * from "./work/observe/index.ts";
