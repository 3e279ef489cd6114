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
    all: { usage: "any", turns: "any" },
    "always-401": { warnings: [], errors: ["-32000"] },
    "resume-session": { warnings: "any" },
    "stream-cut": { messages: "any", warnings: [] },
  },
  why: {
    all: "The adapter tells the usage of the main thread only, and asks for titles at times of its own.",
    "stream-cut": "What was cut has been told when it asks again.",
  },
  noise: ["session_log", "auth_status", "node_warning", "history"],
};
