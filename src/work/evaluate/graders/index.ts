export { askJudge } from "./ask-judge.ts";
export { graderEnvironment } from "./grader-environment.ts";
export { type GraderOptions, graderOf, graderSpecOf, judgeOf } from "./grader-options.ts";
export type { Judge, JudgeReply } from "./judge.ts";
export { quoted, rubricIn, shownEnd, verdictRule } from "./llm-grader.ts";
export { prepareGrader } from "./prepare-grader.ts";
export { type RecalledAnswers, recalledAnswers } from "./recalled-answers.ts";
export { verdictIn } from "./verdict-in.ts";
