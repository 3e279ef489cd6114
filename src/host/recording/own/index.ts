export { agentOfRun, readLike } from "./agent-of-run.ts";
export { agentNamed, loadAgent, unreadKeys } from "./load-agent.ts";
