export { csvReport } from "./csv-report.ts";
export { flakiest } from "./flakiest.ts";
export { htmlReport } from "./html-report.ts";
export { junitReport } from "./junit-report.ts";
export { markdownReport } from "./markdown-report.ts";
export { textPreferences, textReport } from "./text-report.ts";
