export { cline } from "./agent.ts";
