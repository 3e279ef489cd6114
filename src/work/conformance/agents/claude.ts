import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Pin } from "../pin.ts";
import { KEY } from "./key.ts";

export const claude: Pin = {
  package: "@anthropic-ai/claude-code",
  version: "2.1.325",
  label: "claude-code 2.1.325",
  megabytes: 370,
  /** The package's install script only links this file to the name on PATH, so we skip the script. */
  binary: (folder) =>
    ["", "-musl"]
      .map((libc) => join(folder, `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}${libc}/claude`))
      .find(existsSync),
  environment: (url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "2",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
    // Without this it does not bypass permissions when root runs it.
    IS_SANDBOX: "1",
  }),
  files: () => ({}),
  args: () => [],
  mcp: ({ name, command, args }) => ({ args: [`--mcp-config=${JSON.stringify({ mcpServers: { [name]: { command, args } } })}`] }),
  lacks: ["patch", "todo", "fetch"],
  showsExitCodes: true,
  showsSubagents: true,
  skillsAreFiles: false,
  counts: ["main", "side", "subagent"],
  countsFailures: true,
  command: (text) => text,
  noise: [],
};
