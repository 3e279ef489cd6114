export { goose } from "./agent.ts";
export { failureOf, isFailedAnswer } from "./own-text.ts";
export { gooseStore } from "./store.ts";
