export { renderResult } from "./render.ts";
export { RESULT_VERSION, type RunResult, result } from "./view.ts";
