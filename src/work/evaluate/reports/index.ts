export { csvReport } from "./csv-report.ts";
export { flakiest } from "./flakiest.ts";
export { htmlReport } from "./html-report.ts";
export { junitReport } from "./junit-report.ts";
export { markdownReport } from "./markdown-report.ts";
export { preferencesTable, type Table } from "./tables.ts";
export { textReport } from "./text-report.ts";
export { textTable } from "./text-table.ts";
