import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Files, Pin } from "../pin.ts";
import { byOption } from "./by-option.ts";
import { codex } from "./codex.ts";

/** The adapter bundles its own Codex and takes no settings on its command line. */
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
  files: (url) => config(url),
  args: () => [],
  model: undefined,
  mcp: byOption,
  counts: ["main"],
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
    refusal: { usage: "unknown" },
    "retry-401": { warnings: [] },
    "stream-cut": { messages: "any" },
    "stream-cut-always": { messages: "any" },
    todo: { calls: {}, unknown: 0 },
    "unknown-tool": { warnings: [] },
    "write-refused": { status: "completed", operations: [{ write: "notes.txt" }], files: { "notes.txt": "text\n" }, warnings: [] },
  },
  why: {
    patch: "For a renamed file it reports only the new name.",
    "read-only": "Over the protocol it asks for permission, and a denial ends the turn.",
    "read-range": "For a read it reports only the file.",
    refusal: "It reports no usage for a blocked turn.",
    "stream-cut": "It has already reported the cut text when it retries.",
    "stream-cut-always": "It has already reported the cut text when it retries.",
    todo: "Over the protocol a to-do list is not a call.",
    "write-refused": "Over the protocol its default allows writes in the workspace.",
  },
  noise: [...codex.noise, "history"],
};

/** It reads its settings from a file in its home. */
function config(url: string): Files {
  return {
    ".codex/config.toml": [
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
