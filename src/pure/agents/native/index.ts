export { native, rlm } from "./agent.ts";
export { NATIVE, RLM } from "./names.ts";
