import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Pin } from "../pin.ts";
import { byOption } from "./by-option.ts";
import { claude } from "./claude.ts";

/** The adapter bundles its own Claude Code. */
export const claudeAcp: Pin = {
  ...claude,
  program: "claude-agent-acp",
  inside: "claude",
  package: "@agentclientprotocol/claude-agent-acp",
  version: "0.99.0",
  label: "claude-agent-acp 0.99.0",
  megabytes: 400,
  binary: (folder) => [join(folder, "node_modules/.bin/claude-agent-acp")].find(existsSync),
  mcp: byOption,
  lacks: [...claude.lacks, "system-prompt", "append-system-prompt", "max-turns", "max-budget"],
  asksAfterwards: true,
  expect: {
    all: { warnings: [] },
    "always-401": { errors: ["Failed to authenticate", "-32000"] },
    "always-429": { errors: ["API Error"] },
    "always-500": { errors: ["API Error"] },
    "always-529": { errors: ["API Error"] },
    "command-timeout": { turns: "any", messages: ["It takes too long."] },
    "context-overflow": { errors: ["Prompt is too long"] },
    "read-only": { status: "blocked" },
    refusal: { errors: ["safeguards flagged this message"], unknown: "any" },
    "resume-session": { warnings: "any" },
    "stream-cut": { messages: "any" },
    "stream-cut-always": { messages: "any", errors: ["API Error"], usage: "unknown" },
    "subagent-background": { turns: "any", usage: "any", messages: ["It is at work."], subagents: { started: 1 } },
    "write-refused": { unknown: 0 },
  },
  why: {
    "command-timeout": "Background work ends after the requested turn.",
    "read-only": "Over the protocol it asks for permission, and the denial is recorded.",
    "stream-cut": "It has already reported the cut text when it retries.",
    "stream-cut-always": "It has already reported the cut text when it retries, and reports no usage for a failed turn.",
    "subagent-background": "Background work ends after the requested turn.",
  },
  noise: ["session_log", "auth_status", "node_warning", "history", "session_title"],
};
