import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Files, Pin } from "../pin.ts";
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
  files: (url) => config(url, "gpt-5.5"),
  args: () => [],
  model: undefined,
  /** With a model it does not know, it offers the tools of such servers at once. */
  mcp: (server, url) => ({ ...byOption(server, url), files: config(url, "gpt-5.1-codex") }),
  countsFailures: true,
  lacks: [...codex.lacks, "system-prompt", "append-system-prompt"],
  expect: {
    "always-401": { warnings: "any", errors: ["-32000"] },
    patch: { operations: [{ write: "added.txt" }, { write: "src/app.js" }, { write: "old.txt" }, { write: "after.txt" }] },
    "read-only": {
      status: "blocked",
      operations: [{ read: "README.md" }, { write: "notes.txt", success: null }],
      messages: [],
      turns: 2,
      warnings: [],
    },
    "read-range": { operations: [{ read: "poem.txt" }] },
    mcp: { errors: [], warnings: ["Model metadata"] },
    refusal: { usage: "unknown" },
    "retry-401": { warnings: [] },
    "stream-cut": { messages: "any" },
    "stream-cut-always": { messages: "any" },
    todo: { calls: {}, unknown: 0 },
    "unknown-tool": { warnings: [] },
    "write-refused": { operations: [{ write: "notes.txt" }], files: { "notes.txt": "text\n" }, warnings: [] },
  },
  why: {
    patch: "Of a file that was renamed it tells the new name only.",
    "read-only": "Over the protocol it asks, and a refusal ends the turn.",
    "read-range": "Of a read it tells the file only.",
    refusal: "Of a turn that was blocked it counts nothing.",
    "stream-cut": "What was cut has been told when it asks again.",
    "stream-cut-always": "What was cut has been told when it asks again.",
    todo: "Over the protocol a list of things to do is no call.",
    "write-refused": "Over the protocol its own default lets it write in the workspace.",
  },
  noise: [...codex.noise, "history"],
};

/** Its settings stand in a file of its home. */
function config(url: string, model: string): Files {
  return {
    ".codex/config.toml": [
      `model = "${model}"`,
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
  };
}
