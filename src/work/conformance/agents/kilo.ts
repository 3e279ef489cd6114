import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Pin } from "../pin.ts";
import { opencode } from "./opencode.ts";
import { opencodeConfig } from "./opencode-config.ts";

/** A fork of OpenCode under its own names. */
export const kilo: Pin = {
  ...opencode,
  package: "@kilocode/cli",
  /** 7.8.1 is incomplete in the registry: its platform package is missing. */
  version: "7.7.7",
  label: "kilo 7.7.7",
  megabytes: 290,
  binary: (folder) => [join(folder, "node_modules/.bin/kilo")].find(existsSync),
  environment: (url) =>
    Object.fromEntries(Object.entries(opencode.environment(url)).map(([name, value]) => [name.replace(/^OPENCODE_/, "KILO_"), value])),
  files: (url) => ({ ".config/kilo/kilo.json": opencodeConfig(url) }),
  mcp: (server, url) => ({ files: { ".config/kilo/kilo.json": opencodeConfig(url, server) } }),
  /** On a busy machine it is silent for long stretches and needs more than ten seconds to exit after its result. */
  noise: ["error_echo", "idle", "exit-forced"],
};
