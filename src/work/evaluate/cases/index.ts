export { type Balance, balance } from "./balance.ts";
export { type Case, type CasePlace, type CaseRow, caseRow, caseTask, turnsOf } from "./case.ts";
export { hashOfTree } from "./hash-of-tree.ts";
export { type Cases, openCases, workspaceOf } from "./open-cases.ts";
export { readLines, readStretch } from "./read-lines.ts";
export { checkFound, type Selection, selector } from "./select-cases.ts";
