export { SUMMARY_VERSION, type Summary, summary, summaryOf } from "./view.ts";
