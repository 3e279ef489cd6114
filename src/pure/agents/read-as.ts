import type { Agent } from "../pipeline/index.ts";

/** Runs like one agent and reads output like another: for a custom command that prints a format we know. */
export function readAs(agent: Agent, like: Agent): Agent {
  const { id, title, aliases, binaries, install, credentials, timeoutMs, origin, product, plain, inside } = agent;
  const check: Agent["check"] = (task, environment) => agent.check?.(task, environment);
  const command: Agent["command"] = (task) => agent.command(task);
  return { ...like, id, title, aliases, binaries, install, credentials, timeoutMs, origin, product, plain, inside, check, command };
}
