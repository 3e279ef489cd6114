import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Pin } from "../pin.ts";
import { opencode } from "./opencode.ts";
import { opencodeConfig } from "./opencode-config.ts";

/** A fork of OpenCode, with names of its own. */
export const kilo: Pin = {
  ...opencode,
  package: "@kilocode/cli",
  /** 7.8.1 lacks its platform half in the registry. */
  version: "7.7.7",
  label: "kilo 7.7.7",
  megabytes: 290,
  binary: (folder) => [join(folder, "node_modules/.bin/kilo")].find(existsSync),
  environment: (url) =>
    Object.fromEntries(Object.entries(opencode.environment(url)).map(([name, value]) => [name.replace(/^OPENCODE_/, "KILO_"), value])),
  files: (url) => ({ ".config/kilo/kilo.json": opencodeConfig(url) }),
  mcp: (server, url) => ({ files: { ".config/kilo/kilo.json": opencodeConfig(url, server) } }),
  /** On a busy machine it is silent for long, and takes more than the ten seconds it is given to go when all is told. */
  noise: ["error_echo", "idle", "exit-forced"],
};
