import type { McpServer } from "../pin.ts";
import { KEY } from "./key.ts";

/** OpenCode's settings, which Kilo shares: one provider, the scripted model. */
export function opencodeConfig(url: string, server?: McpServer): object {
  const model = {
    tool_call: true,
    reasoning: true,
    limit: { context: 200_000, output: 32_000 },
    cost: { input: 1, output: 2, cache_read: 0.1 },
  };
  return {
    autoupdate: false,
    share: "disabled",
    model: "scripted/scripted-model",
    small_model: "scripted/scripted-small",
    enabled_providers: ["scripted"],
    ...(server === undefined
      ? {}
      : { mcp: { [server.name]: { type: "local", command: [server.command, ...server.args], enabled: true } } }),
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${url}/v1`, apiKey: KEY },
        models: { "scripted-model": model, "scripted-small": model, "gpt-5-scripted": model },
      },
    },
  };
}
