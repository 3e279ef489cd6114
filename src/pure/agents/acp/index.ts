export { acp } from "./agent.ts";
export { acpAgents } from "./agents.ts";
