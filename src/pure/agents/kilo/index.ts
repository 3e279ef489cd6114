export { kilo } from "./agent.ts";
