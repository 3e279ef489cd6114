/** Sessions that agents keep on disk: find them, and make recordings of them. */

export { importSessions } from "./import-sessions.ts";
export type { Imported } from "./imported.ts";
export { type Grouping, type UsageOptions, type UsageRow, usageBy } from "./usage-by.ts";
