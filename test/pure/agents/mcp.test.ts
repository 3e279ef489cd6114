import { describe, expect, test } from "vitest";
import { agents } from "../../../src/pure/agents/agents.ts";
import type { McpServer } from "../../../src/pure/pipeline/agent.ts";

const program: McpServer = { name: "tests", command: "node", args: ["a b.mjs"], env: { A_TOKEN: "it's" } };
const remote: McpServer = { name: "web", type: "http", url: "https://example.invalid/mcp", headers: { Authorization: "Bearer x" } };

function started(agent: keyof typeof agents, task: object) {
  return agents[agent].command({ prompt: "Go.", ...task });
}

describe("MCP servers as arguments of each CLI", () => {
  test("Claude Code", () => {
    const { name: _, ...server } = program;
    const { args, ignored } = started("claude", { mcp: [program] });
    expect(args).toContain(`--mcp-config=${JSON.stringify({ mcpServers: { tests: server } })}`);
    expect(ignored).toEqual([]);
  });

  test("Codex", () => {
    expect(started("codex", { mcp: [program, remote] }).args.filter((argument) => argument.startsWith("mcp_servers"))).toEqual([
      'mcp_servers.tests={command="node",args=["a b.mjs"],env={"A_TOKEN"="it\'s"}}',
      'mcp_servers.web={url="https://example.invalid/mcp",http_headers={"Authorization"="Bearer x"}}',
    ]);
    expect(started("codex", { mcp: [{ ...remote, type: "sse" }] }).ignored).toEqual(["mcp"]);
  });

  test("Goose", () => {
    expect(started("goose", { mcp: [program] }).args).toContain(`tests:A_TOKEN='it'\\''s' node 'a b.mjs'`);
    expect(started("goose", { mcp: [remote] }).ignored).toEqual(["mcp"]);
  });

  test("OpenCode and Kilo", () => {
    const config = JSON.parse(started("opencode", { mcp: [program] }).env?.["OPENCODE_CONFIG_CONTENT"] ?? "");
    expect(config.mcp.tests).toEqual({ type: "local", command: ["node", "a b.mjs"], environment: { A_TOKEN: "it's" }, enabled: true });
    expect(started("kilo", { mcp: [program] }).env).toHaveProperty("KILO_CONFIG_CONTENT");
  });

  test.each(["pi", "cline", "gemini", "antigravity", "generic"] as const)("%s takes neither servers nor rules", (agent) => {
    expect(started(agent, { mcp: [program], allow: ["x"], deny: ["y"] }).ignored).toEqual(expect.arrayContaining(["mcp", "allow", "deny"]));
  });
});

describe("permission rules for Claude Code", () => {
  test("accepts tools, kinds, its own rules and commands", () => {
    const { args } = started("claude", { allow: ["Read", "execute", "Edit(src/**)", "git log *"], deny: ["mcp__web__*"] });
    expect(args.slice(0, 8)).toEqual([
      "--disallowedTools",
      "mcp__web__*",
      "--allowedTools",
      "Read",
      "Bash",
      "Edit(src/**)",
      "Bash(git log *)",
      "--print",
    ]);
  });

  test("passes no rule if it cannot express one of them", () => {
    const { args, ignored } = started("claude", { deny: ["*", "Read"] });
    expect(args).not.toContain("--disallowedTools");
    expect(ignored).toEqual(["deny"]);
  });
});
