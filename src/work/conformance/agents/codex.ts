import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Pin } from "../pin.ts";
import { KEY } from "./key.ts";

export const codex: Pin = {
  package: "@openai/codex",
  version: "0.166.0",
  label: "codex-cli 0.166.0",
  megabytes: 460,
  binary: (folder) => [join(folder, "node_modules/.bin/codex")].find(existsSync),
  environment: () => ({ SCRIPTED_API_KEY: KEY }),
  files: () => ({}),
  args: (url) => [
    "-c",
    'model_provider="scripted"',
    "-c",
    `model_providers.scripted={name="scripted",base_url="${url}/v1",wire_api="responses",env_key="SCRIPTED_API_KEY",request_max_retries=1,stream_max_retries=1}`,
  ],
  mcp: ({ name, command, args }) => ({
    args: ["-c", `mcp_servers.${name}={command=${JSON.stringify(command)},args=${JSON.stringify(args)}}`],
  }),
  lacks: ["agent", "fetch", "max-turns", "max-budget"],
  showsExitCodes: true,
  showsSubagents: false,
  skillsAreFiles: true,
  counts: ["main", "side"],
  countsFailures: false,
  command: (text) => text.replace(/^\S+ -lc (["']?)([\s\S]*)\1$/, "$2"),
  noise: ["stdin_notice", "path_alias"],
};
