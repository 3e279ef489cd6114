export { acp } from "./agent.ts";
export { acpAgents } from "./agents.ts";
export { effectOf, shortName } from "./tools.ts";
