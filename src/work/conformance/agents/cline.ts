import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Pin } from "../pin.ts";
import { KEY } from "./key.ts";
import { ripgrep } from "./ripgrep.ts";

const PACKAGE = `@cline/cli-${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

export const cline: Pin = {
  package: PACKAGE,
  version: "3.0.65",
  label: "cline 3.0.65",
  megabytes: 195,
  beside: [ripgrep],
  binary: (folder) => [join(folder, "node_modules", PACKAGE, "bin/cline")].find(existsSync),
  environment: () => ({
    CLINE_NO_AUTO_UPDATE: "1",
    // Without this it leaves a daemon behind that later runs attach to.
    CLINE_SESSION_BACKEND_MODE: "local",
  }),
  files: (url) => ({ ".cline/data/settings/providers.json": providers(url) }),
  args: () => ["-P", "openai-compatible"],
  model: "scripted-model",
  mcp: ({ name, command, args }) => ({
    files: { ".cline/data/settings/cline_mcp_settings.json": { mcpServers: { [name]: { command, args } } } },
  }),
  lacks: ["resume", "background", "todo", "timeout", "max-turns", "max-budget", "append-system-prompt"],
  withholds: ["editor", "run_commands"],
  showsExitCodes: true,
  showsSubagents: true,
  skillsAreFiles: false,
  counts: ["main", "subagent"],
  countsFailures: true,
  command: (text) => text,
  noise: ["ai_sdk_warning", "idle"],
};

function providers(url: string): object {
  const settings = { provider: "openai-compatible", apiKey: KEY, model: "scripted-model", baseUrl: `${url}/v1` };
  return {
    version: 1,
    lastUsedProvider: "openai-compatible",
    providers: { "openai-compatible": { settings, updatedAt: "2026-01-01T00:00:00.000Z", tokenSource: "manual" } },
  };
}
