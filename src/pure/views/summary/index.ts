export { type Summary, summarySchema } from "./schema.ts";
export { summary, summaryOf } from "./view.ts";
