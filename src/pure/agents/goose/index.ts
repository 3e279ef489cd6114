export { goose } from "./agent.ts";
export { failureOf, isFailedAnswer } from "./words.ts";
