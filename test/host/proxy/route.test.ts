import { expect, test } from "vitest";
import { routeOf } from "../../../src/host/proxy/route.ts";
import { agents } from "../../../src/pure/agents/index.ts";
import type { Agent } from "../../../src/pure/pipeline/index.ts";

const all: Readonly<Record<string, Agent>> = agents;

/** With placeholders in place of random values. */
function shown(id: string, env: NodeJS.ProcessEnv, modelUrl?: string) {
  const { models, keys, ...rest } = routeOf(all[id] as Agent, env, modelUrl);
  return { models: models.map(({ port, url }) => `${port} ${url.origin}`), keys: keys.map(({ variable }) => variable), ...rest };
}

const nothing = { models: [], keys: [], hosts: [], env: {}, args: [] };

test.each<[string, NodeJS.ProcessEnv, string | undefined, object]>([
  // A key in a variable: the address moves, and the key stays outside.
  [
    "claude",
    { ANTHROPIC_API_KEY: "k" },
    undefined,
    { models: ["21370 https://api.anthropic.com"], keys: ["ANTHROPIC_API_KEY"], env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:21370" } },
  ],
  [
    "claude-acp",
    { ANTHROPIC_AUTH_TOKEN: "k" },
    undefined,
    { models: ["21370 https://api.anthropic.com"], keys: ["ANTHROPIC_AUTH_TOKEN"], env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:21370" } },
  ],
  [
    "claude",
    { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "https://gate.example/llm/" },
    undefined,
    { models: ["21370 https://gate.example"], keys: ["ANTHROPIC_API_KEY"], env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:21370/llm" } },
  ],
  [
    "codex",
    { CODEX_API_KEY: "k" },
    undefined,
    { models: ["21370 https://api.openai.com"], keys: ["CODEX_API_KEY"], args: ["-c", 'openai_base_url="http://127.0.0.1:21370/v1"'] },
  ],
  [
    "gemini",
    { GEMINI_API_KEY: "k" },
    undefined,
    {
      models: ["21370 https://generativelanguage.googleapis.com"],
      keys: ["GEMINI_API_KEY"],
      env: { GOOGLE_GEMINI_BASE_URL: "http://127.0.0.1:21370" },
    },
  ],
  [
    "goose",
    { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "l" },
    undefined,
    {
      models: ["21370 https://api.openai.com", "21371 https://api.anthropic.com"],
      keys: ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"],
      env: { OPENAI_HOST: "http://127.0.0.1:21370", ANTHROPIC_HOST: "http://127.0.0.1:21371" },
    },
  ],
  // A login in a file: the agent reaches the provider's hosts, and only those.
  ["claude", {}, undefined, { hosts: ["api.anthropic.com", "console.anthropic.com", "platform.claude.com"] }],
  // Nothing moves the address: the agent needs the key.
  ["pi", { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "" }, undefined, { hosts: ["api.anthropic.com", "console.anthropic.com"] }],
  ["opencode", { ANTHROPIC_API_KEY: "k", OPENCODE_CONFIG_CONTENT: "// comment\n{}" }, undefined, { hosts: ["api.anthropic.com"] }],
  // A model on this machine: the same port inside, and nothing to move.
  [
    "claude",
    { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "http://127.0.0.1:9000" },
    undefined,
    { models: ["9000 http://127.0.0.1:9000"], keys: ["ANTHROPIC_API_KEY"] },
  ],
  [
    "goose",
    { OPENAI_HOST: "http://localhost:9000", OPENAI_API_KEY: "k" },
    undefined,
    { models: ["9000 http://localhost:9000"], keys: ["OPENAI_API_KEY"] },
  ],
  [
    "codex",
    { SCRIPTED_API_KEY: "k", PATH: "/bin" },
    "http://127.0.0.1:9000/v1",
    { models: ["9000 http://127.0.0.1:9000"], keys: ["SCRIPTED_API_KEY"] },
  ],
  ["native", { OLLAMA_HOST: "127.0.0.1:11434" }, undefined, { models: ["11434 http://127.0.0.1:11434"] }],
  ["generic", {}, "https://llm.example/v1", { hosts: ["llm.example"] }],
])("%s with %j and %s", (id, env, modelUrl, expected) => {
  expect(shown(id, env, modelUrl)).toEqual({ ...nothing, ...expected });
});

test("the address of OpenCode's provider is added to the settings that it has", () => {
  const env = {
    OPENAI_API_KEY: "k",
    OPENCODE_CONFIG_CONTENT: JSON.stringify({ theme: "x", provider: { openai: { options: { timeout: 1 } } } }),
  };
  expect(JSON.parse(routeOf(all["opencode"] as Agent, env).env["OPENCODE_CONFIG_CONTENT"] ?? "")).toEqual({
    theme: "x",
    provider: { openai: { options: { timeout: 1, baseURL: "http://127.0.0.1:21370/v1" } } },
  });
});

test.each(["ftp://a.org", "http://u:p@a.org", "http://127.1.1.1.1.1:80", "http://", "a b"])(
  "rejects the model's address %j",
  (modelUrl) => {
    expect(() => routeOf({}, {}, modelUrl)).toThrow(/^Not the address of a model/);
  },
);
