export { pi } from "./agent.ts";
export { piStore } from "./store.ts";
