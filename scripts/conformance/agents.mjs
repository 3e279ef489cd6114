// The real CLIs the corpus runs against: which version, how it reaches the scripted model, what it can know. Pins live only here.
import { existsSync } from "node:fs";
import { join } from "node:path";

/** No key, and too short for a secret: nothing of the recordings is masked because of it. */
const KEY = "dummy";

export const agents = {
  claude: {
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
    args: () => [],
    /** Requests of these kinds are in the usage it reports. */
    counts: ["main", "side", "subagent"],
    /** A run that failed reports its usage too. */
    countsFailures: true,
    /** The command as the model asked for it, given as the agent tells it. */
    command: (text) => text,
    /** Healthy runs have these too. */
    noise: [],
  },
  codex: {
    package: "@openai/codex",
    version: "0.166.0",
    label: "codex-cli 0.166.0",
    megabytes: 460,
    binary: (folder) => [join(folder, "node_modules/.bin/codex")].find(existsSync),
    environment: () => ({ SCRIPTED_API_KEY: KEY }),
    args: (url) => [
      "-c",
      'model_provider="scripted"',
      "-c",
      `model_providers.scripted={name="scripted",base_url="${url}/v1",wire_api="responses",env_key="SCRIPTED_API_KEY",request_max_retries=1,stream_max_retries=1}`,
    ],
    /** The model decides which tools it offers: this one has apply_patch. */
    model: "gpt-5.5",
    counts: ["main"],
    countsFailures: false,
    command: (text) => text.replace(/^\S+ -lc (["']?)([\s\S]*)\1$/, "$2"),
    noise: ["stdin_notice", "path_alias"],
  },
};
