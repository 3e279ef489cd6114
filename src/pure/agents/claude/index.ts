export { claude } from "./agent.ts";
export { exitCodeOf, SYNTHETIC_ERROR, successOf } from "./fields.ts";
export { claudeStore } from "./store.ts";
