export { claude } from "./agent.ts";
export { exitCodeOf, SYNTHETIC_ERROR, successOf } from "./fields.ts";
