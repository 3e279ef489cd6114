export { native, rlm } from "./agent.ts";
