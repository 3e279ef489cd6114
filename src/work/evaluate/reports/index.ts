export { csvReport } from "./csv-report.ts";
export { htmlReport } from "./html-report.ts";
export { junitReport } from "./junit-report.ts";
export { markdownReport } from "./markdown-report.ts";
export { flakiest, type Report, reportOf } from "./report.ts";
export { casesTable, pairsTable, preferencesTable, sidesTable, type Table } from "./tables.ts";
export { textTable } from "./text-table.ts";
