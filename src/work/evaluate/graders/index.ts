export { agentJudge } from "./agent-judge.ts";
export { endpointJudge } from "./endpoint-judge.ts";
export { findGraders } from "./find-grader.ts";
export { graderEnvironment } from "./grader-environment.ts";
export { type Judge, lastObject } from "./judge.ts";
export { quoted, rubricIn } from "./llm-grader.ts";
