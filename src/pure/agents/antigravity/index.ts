export { antigravity } from "./agent.ts";
