import type { Agent } from "../core/agent.ts";

/** One agent's way to be run, and another's format: for a command of somebody's own that speaks a language we know. */
export function readAs(agent: Agent, like: Agent): Agent {
  return { ...agent, open: like.open, text: like.text, terminal: like.terminal };
}
