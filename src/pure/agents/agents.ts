import { type Agent, vouchedFor } from "../pipeline/index.ts";
import { acp, acpAgents } from "./acp/index.ts";
import { antigravity } from "./antigravity/index.ts";
import { claude } from "./claude/index.ts";
import { cline } from "./cline/index.ts";
import { codex } from "./codex/index.ts";
import { gemini } from "./gemini/index.ts";
import { generic } from "./generic/index.ts";
import { goose } from "./goose/index.ts";
import { kilo } from "./kilo/index.ts";
import { native, rlm } from "./native/index.ts";
import { opencode } from "./opencode/index.ts";
import { pi } from "./pi/index.ts";

/** Every agent, by id. To add one: its folder, a line here, a fixture folder, a page in docs/reference/agents/. */
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
