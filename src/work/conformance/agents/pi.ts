import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Pin } from "../pin.ts";
import { KEY } from "./key.ts";
import { ripgrep } from "./ripgrep.ts";

export const pi: Pin = {
  package: "@mariozechner/pi-coding-agent",
  version: "0.73.1",
  label: "pi 0.73.1",
  majors: [0],
  megabytes: 200,
  beside: [ripgrep],
  binary: (folder) => [join(folder, "node_modules/.bin/pi")].find(existsSync),
  environment: () => ({ PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" }),
  files: (url) => ({ ".pi/agent/models.json": models(url), ".pi/agent/settings.json": SETTINGS }),
  args: () => [],
  model: "scripted/scripted-1",
  lacks: ["patch", "agent", "todo", "fetch", "max-turns", "max-budget", "permissions"],
  showsExitCodes: true,
  showsSubagents: false,
  skillsAreFiles: true,
  counts: ["main", "side"],
  countsFailures: true,
  command: (text) => text,
  noise: [],
};

function models(url: string): object {
  const model = {
    id: "scripted-1",
    name: "Scripted",
    reasoning: true,
    input: ["text"],
    cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 },
    contextWindow: 200_000,
    maxTokens: 32_000,
  };
  return { providers: { scripted: { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: KEY, models: [model] } } };
}

const SETTINGS = { retry: { enabled: true, maxRetries: 2, baseDelayMs: 200 } };
