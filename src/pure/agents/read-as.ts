import type { Agent } from "../pipeline/index.ts";

/** Runs like one agent and reads output like another: for a custom command that prints a format we know. */
export function readAs(agent: Agent, like: Agent): Agent {
  const { id, title, aliases, binaries, install, credentials, timeoutMs, origin, product, plain, inside } = agent;
  const check: Agent["check"] = (task, environment) => agent.check?.(task, environment);
  const command: Agent["command"] = (task) => agent.command(task);
  return { ...like, id, title, aliases, binaries, install, credentials, timeoutMs, origin, product, plain, inside, check, command };
}

/** An agent of this package in a program that is not: nothing guarantees that it reports everything it does. */
export function asForeign({ inside: _, ...agent }: Agent): Agent {
  return agent;
}
