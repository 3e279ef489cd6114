import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Pin } from "../pin.ts";
import { byOption } from "./by-option.ts";
import { codex } from "./codex.ts";

/** The adapter in front of Codex, which it brings along. It takes no settings on its command line. */
export const codexAcp: Pin = {
  ...codex,
  program: "codex-acp",
  inside: "codex",
  package: "@agentclientprotocol/codex-acp",
  version: "2.6.0",
  label: "codex-acp 2.6.0",
  megabytes: 460,
  binary: (folder) => [join(folder, "node_modules/.bin/codex-acp")].find(existsSync),
  environment: (url) => ({ ...codex.environment(url), MODEL_PROVIDER: "scripted", NO_BROWSER: "1" }),
  files: (url) => ({
    ".codex/config.toml": [
      'model = "gpt-5.5"',
      'model_provider = "scripted"',
      "[model_providers.scripted]",
      'name = "scripted"',
      `base_url = "${url}/v1"`,
      'wire_api = "responses"',
      'env_key = "SCRIPTED_API_KEY"',
      "request_max_retries = 1",
      "stream_max_retries = 1",
      "",
    ].join("\n"),
  }),
  args: () => [],
  model: undefined,
  mcp: byOption,
  lacks: [...codex.lacks, "system-prompt", "append-system-prompt"],
  expect: {
    "always-401": { warnings: "any", errors: ["-32000"] },
    "stream-cut": { messages: "any" },
    "unknown-tool": { warnings: [] },
  },
  why: { "stream-cut": "What was cut has been told when it asks again." },
  noise: [...codex.noise, "history"],
};
