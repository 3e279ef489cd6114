export { RESULT_VERSION, type RunResult, result } from "./view.ts";
