import { existsSync } from "node:fs";
import { join } from "node:path";
import { claude } from "./claude.mjs";

/** The adapter in front of Claude Code, which it brings along. */
export const claudeAcp = {
  ...claude,
  program: "claude-agent-acp",
  inside: "claude",
  package: "@agentclientprotocol/claude-agent-acp",
  version: "0.99.0",
  label: "claude-agent-acp 0.99.0",
  megabytes: 400,
  binary: (folder) => [join(folder, "node_modules/.bin/claude-agent-acp")].find(existsSync),
  mcp: ({ name, command, args }) => ({ options: ["--mcp", `${name}=${command} ${args.join(" ")}`] }),
  lacks: [...claude.lacks, "system-prompt", "append-system-prompt", "max-turns", "max-budget"],
  expect: {
    all: { usage: "any", turns: "any" }, // whether it asks for a title, and when, is not always the same
    "always-401": { warnings: [], errors: ["-32000"] },
    "stream-cut": { messages: "any", warnings: [] }, // what was cut has been told when it asks again
  },
  noise: ["session_log", "auth_status"],
};
