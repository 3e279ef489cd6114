import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Pin } from "../pin.ts";
import { byOption } from "./by-option.ts";
import { claude } from "./claude.ts";

/** The adapter in front of Claude Code, which it brings along. */
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
  expect: {
    all: { usage: "any", turns: "any", warnings: [] },
    "always-401": { errors: ["-32000"] },
    "always-429": { errors: ["-32603"] },
    "always-500": { errors: ["-32603"] },
    "always-529": { errors: ["-32603"] },
    "command-timeout": { messages: ["It takes too long."] },
    "context-overflow": { errors: ["-32603"] },
    "read-only": { status: "blocked" },
    refusal: { errors: ["safeguards flagged this message"], unknown: "any" },
    "resume-session": { warnings: "any" },
    "stream-cut": { messages: "any" },
    "stream-cut-always": { messages: "any", errors: ["-32603"] },
    "subagent-background": { messages: ["It is at work."], subagents: { started: 1 } },
    "write-refused": { unknown: 0 },
  },
  why: {
    all: "The adapter tells the usage of the main thread only, and asks for titles at times of its own.",
    "command-timeout": "The end of what goes on in the background comes after the turn that was asked for.",
    "read-only": "Over the protocol it asks, and a refusal is recorded.",
    "stream-cut": "What was cut has been told when it asks again.",
    "stream-cut-always": "What was cut has been told when it asks again.",
    "subagent-background": "The end of what goes on in the background comes after the turn that was asked for.",
  },
  noise: ["session_log", "auth_status", "node_warning", "history"],
};
