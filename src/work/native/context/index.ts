export { type ContextOptions, contextKeeper } from "./keep-context.ts";
export { isOverflow } from "./overflow.ts";
export { isSummary, summaryMessage } from "./summary.ts";
