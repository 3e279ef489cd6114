export { pi } from "./agent.ts";
