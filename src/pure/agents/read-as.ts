import type { Agent } from "../pipeline/index.ts";

/** One agent's way to be run, and another's format: for a command of somebody's own that speaks a language we know. */
export function readAs(agent: Agent, like: Agent): Agent {
  const { id, title, aliases, binaries, install, credentials, timeoutMs, origin, product, plain, inside } = agent;
  const check: Agent["check"] = (task, environment) => agent.check?.(task, environment);
  const command: Agent["command"] = (task) => agent.command(task);
  return { ...like, id, title, aliases, binaries, install, credentials, timeoutMs, origin, product, plain, inside, check, command };
}
