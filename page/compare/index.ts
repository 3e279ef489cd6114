export { align } from "./align.ts";
export { Facts } from "./facts.tsx";
export { PairList } from "./pair-list.tsx";
export { stepsOf } from "./steps.ts";
export { MOST_STEPS, useSignatures } from "./use-signatures.ts";
