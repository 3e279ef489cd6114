/** What a shell command does to files, decided on a real grammar. */

export { categoryOf, categoryOfText, gitCommand, onlyPrints, programsIn, usesNetwork } from "./category.ts";
export { classifier, placedClassifier } from "./classifier.ts";
export { type Classification, classify } from "./classify.ts";
export { commandArgv } from "./command-argv.ts";
export { isDryRun } from "./dry-run.ts";
export { around, outermost } from "./outermost.ts";
export { hasPassed, runsOf, withEnd } from "./runs-of.ts";
export { ANY, type Gap, type ShownPlace, shownBy } from "./shown/index.ts";
export { simpleCommands } from "./simple-commands.ts";
export { type TestReport, testReport } from "./test-report.ts";
export { failsBy, innerCommands, scriptOf, vouchesFor } from "./vouches.ts";
