import type { Agent } from "../core/agent.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { generic } from "./generic.ts";

/** Every agent, by id. Adding one: its file, a line here, a fixture folder, a page in docs/agents/. */
export const agents = { claude, codex, generic } as const satisfies Record<string, Agent>;

export type AgentId = keyof typeof agents;
