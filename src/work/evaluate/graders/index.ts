export { graderEnvironment } from "./grader-environment.ts";
export { type GraderOptions, graderOf, graderSpecOf, judgeOf } from "./grader-options.ts";
export { type Judge, lastObject } from "./judge.ts";
export { quoted, rubricIn } from "./llm-grader.ts";
export { prepareGrader } from "./prepare-grader.ts";
