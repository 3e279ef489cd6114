export { claude } from "./agent.ts";
export { exitCodeOf, successOf } from "./fields.ts";
