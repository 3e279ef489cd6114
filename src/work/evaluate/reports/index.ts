export { csvReport } from "./csv-report.ts";
export { csvTrials } from "./csv-trials.ts";
export { flakiest } from "./flakiest.ts";
export { htmlPieces, htmlReport } from "./html-report.ts";
export { caseDetails, junitReport } from "./junit-report.ts";
export { markdownReport } from "./markdown-report.ts";
export { shownTrials } from "./shown-trials.ts";
export { textPreferences, textReport } from "./text-report.ts";
export { trendMarkdown, trendText } from "./trend-tables.ts";
