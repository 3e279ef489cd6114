export { renderResult } from "./render.ts";
export { type RunResult, resultSchema } from "./schema.ts";
export { result } from "./view.ts";
