import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Pin } from "../pin.ts";
import { opencodeConfig } from "./opencode-config.ts";
import { ripgrep } from "./ripgrep.ts";

const PACKAGE = `opencode-${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

export const opencode: Pin = {
  package: PACKAGE,
  version: "1.18.33",
  label: "opencode 1.18.33",
  megabytes: 180,
  beside: [ripgrep],
  binary: (folder) => [join(folder, "node_modules", PACKAGE, "bin/opencode")].find(existsSync),
  environment: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  }),
  files: (url) => ({ ".config/opencode/opencode.json": opencodeConfig(url) }),
  args: () => [],
  model: "scripted/scripted-model",
  mcp: (server, url) => ({ files: { ".config/opencode/opencode.json": opencodeConfig(url, server) } }),
  lacks: ["max-turns", "max-budget", "system-prompt", "append-system-prompt"],
  showsExitCodes: true,
  showsSubagents: false,
  skillsAreFiles: false,
  counts: ["main"],
  countsFailures: true,
  command: (text) => text,
  noise: ["idle"],
};
