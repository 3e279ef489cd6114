import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Pin } from "../pin.ts";
import { KEY } from "./key.ts";

const PACKAGE = `@aaif/goose-binary-${process.platform}-${process.arch}`;

export const goose: Pin = {
  package: PACKAGE,
  version: "1.52.0",
  label: "goose 1.52.0",
  megabytes: 290,
  binary: (folder) => [join(folder, "node_modules", PACKAGE, "bin/goose")].find(existsSync),
  environment: (url) => ({
    GOOSE_PROVIDER: "openai",
    OPENAI_HOST: url,
    OPENAI_API_KEY: KEY,
    GOOSE_DISABLE_KEYRING: "1",
  }),
  files: () => ({}),
  args: () => [],
  model: "scripted-model",
  mcp: ({ name, command, args }) => ({ files: { ".config/goose/config.yaml": extension(name, command, args) } }),
  lacks: ["patch", "fetch", "system-prompt", "max-budget"],
  showsExitCodes: true,
  showsSubagents: false,
  skillsAreFiles: false,
  counts: ["main", "side", "subagent"],
  countsFailures: true,
  command: (text) => text,
  noise: [],
};

/** Goose reads YAML, and JSON is valid YAML. */
function extension(name: string, cmd: string, args: readonly string[]): object {
  return {
    extensions: { [name]: { type: "stdio", name, cmd, args, enabled: true, timeout: 30, envs: {}, env_keys: [], description: name } },
  };
}
