export type { TracedCommand } from "./trace-processes.ts";
export { type ReadTrace, watchTrace } from "./watch-trace.ts";
