export { kilo } from "./agent.ts";
export { kiloStore } from "./store.ts";
