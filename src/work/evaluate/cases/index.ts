export { balanceOf } from "./balance.ts";
export { type Case, type CasePlace, turnsOf } from "./case.ts";
export { type CaseFile, openCaseFile } from "./case-file.ts";
export { readLines, readStretch } from "./read-lines.ts";
export { checkFound, type Selection, selector } from "./select-cases.ts";
