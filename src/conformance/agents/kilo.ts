import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Pin } from "../pin.ts";
import { opencodeConfig } from "./opencode-config.ts";
import { ripgrep } from "./ripgrep.ts";

export const kilo: Pin = {
  package: "@kilocode/cli",
  /** 7.8.1 lacks its platform half in the registry. */
  version: "7.7.7",
  label: "kilo 7.7.7",
  megabytes: 290,
  beside: [ripgrep],
  binary: (folder) => [join(folder, "node_modules/.bin/kilo")].find(existsSync),
  environment: () => ({
    KILO_DISABLE_AUTOUPDATE: "1",
    KILO_DISABLE_MODELS_FETCH: "1",
    KILO_DISABLE_LSP_DOWNLOAD: "1",
    KILO_DISABLE_DEFAULT_PLUGINS: "1",
  }),
  files: (url) => ({ ".config/kilo/kilo.json": opencodeConfig(url) }),
  args: () => [],
  model: "scripted/scripted-model",
  mcp: (server, url) => ({ files: { ".config/kilo/kilo.json": opencodeConfig(url, server) } }),
  lacks: ["max-turns", "max-budget", "system-prompt", "append-system-prompt"],
  tellsExitCodes: true,
  showsSubagents: false,
  skillsAreFiles: false,
  counts: ["main"],
  countsFailures: true,
  command: (text) => text,
  noise: ["error_echo", "idle"],
};
