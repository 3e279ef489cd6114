import type { Agent } from "../core/agent.ts";
import { vouchedFor } from "../core/vouched.ts";
import { acp } from "./acp.ts";
import { acpAgents } from "./acp-agents.ts";
import { antigravity } from "./antigravity.ts";
import { claude } from "./claude.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { generic } from "./generic.ts";
import { goose } from "./goose.ts";
import { kilo } from "./kilo.ts";
import { native, rlm } from "./native.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";

/** Every agent, by id. Adding one: its file, a line here, a fixture folder, a page in docs/agents/. */
export const agents = vouchedFor({
  claude,
  codex,
  cline,
  goose,
  kilo,
  opencode,
  pi,
  gemini,
  antigravity,
  acp,
  ...acpAgents,
  native,
  rlm,
  generic,
} as const satisfies Record<string, Agent>);

export type AgentId = keyof typeof agents;
