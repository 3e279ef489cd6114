import { existsSync } from "node:fs";
import { join } from "node:path";
import { KEY } from "./key.mjs";

export const claude = {
  package: "@anthropic-ai/claude-code",
  version: "2.1.325",
  /** How a fixture names it. */
  label: "claude-code 2.1.325",
  megabytes: 370,
  /** The package's install script only links this file to the name on PATH, so it is not run. */
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
    // Else it refuses to bypass permissions when root runs it.
    IS_SANDBOX: "1",
  }),
  /** Written into the home before a run. */
  files: () => ({}),
  args: () => [],
  /** What makes it know an MCP server. */
  mcp: ({ name, command, args }) => ({ args: [`--mcp-config=${JSON.stringify({ mcpServers: { [name]: { command, args } } })}`] }),
  /** Words of the model (docs/model.md) that it has no tool for, and options of `harness run` that it has no way to take. */
  lacks: ["patch", "todo", "fetch"],
  /** How a command ended is in its output. */
  tellsExitCodes: true,
  /** What its subagents do is in its output. */
  showsSubagents: true,
  /** It has no tool for skills: their files are read like any other. */
  skillsAreFiles: false,
  /** Requests of these kinds are in the usage it reports. */
  counts: ["main", "side", "subagent"],
  /** A run that failed reports its usage too. */
  countsFailures: true,
  /** The command as the model asked for it, given as the agent tells it. */
  command: (text) => text,
  /** Healthy runs have these too. */
  noise: [],
};
