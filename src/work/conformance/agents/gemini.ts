import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Pin } from "../pin.ts";
import { KEY } from "./key.ts";

export const gemini: Pin = {
  package: "@google/gemini-cli",
  version: "0.61.0",
  label: "gemini-cli 0.61.0",
  megabytes: 100,
  binary: (folder) => [join(folder, "node_modules/.bin/gemini")].find(existsSync),
  environment: (url) => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_NO_RELAUNCH: "true" }),
  files: () => ({ ".gemini/settings.json": SETTINGS }),
  args: () => [],
  mcp: ({ name, command, args }) => ({
    files: { ".gemini/settings.json": { ...SETTINGS, mcpServers: { [name]: { command, args, trust: true } } } },
  }),
  lacks: ["patch", "background", "timeout", "max-turns", "max-budget", "system-prompt", "append-system-prompt"],
  withholds: ["write_file", "replace", "run_shell_command"],
  showsExitCodes: false,
  showsSubagents: false,
  skillsAreFiles: false,
  counts: ["main", "side", "subagent"],
  countsFailures: true,
  command: (text) => text,
  noise: ["terminal_notice", "yolo_notice", "ripgrep_fallback", "startup_notice", "tool_error", "stack_frame", "error_detail"],
};

const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
  // Without this it takes a long repetitive text for a loop.
  model: { disableLoopDetection: true },
};
