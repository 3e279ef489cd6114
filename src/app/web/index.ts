export { cacheDirectory } from "./cache-directory.ts";
export { exportRun } from "./export-run.ts";
export { servePage } from "./serve-page.ts";
