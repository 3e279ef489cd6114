/** The page's server: who may look, windows of a derived log, news. */

export { cacheDirectory } from "./cache-directory.ts";
export { exportRun } from "./export-run.ts";
export { servePage } from "./serve-page.ts";
