export { generic } from "./agent.ts";
