// How to pass MCP servers to each CLI when it starts. If a CLI cannot take one server completely, the function returns undefined, the CLI
// gets none, and the run says so.

import { shellLine } from "../base/index.ts";
import type { McpServer } from "../pipeline/index.ts";

type Servers = readonly McpServer[];

/** Claude Code takes one JSON document. Most settings files have the same shape. */
export function claudeServers(servers: Servers): readonly string[] {
  const entries = servers.map(({ name, ...server }) => [name, server]);
  return [`--mcp-config=${JSON.stringify({ mcpServers: Object.fromEntries(entries) })}`];
}

/** Codex takes settings in TOML; a JSON string is a valid TOML string. Codex does not support `sse`. */
export function codexServers(servers: Servers): readonly string[] | undefined {
  if (!servers.every((server) => /^[\w-]+$/.test(server.name) && !("url" in server && server.type === "sse"))) return undefined;
  return servers.flatMap((server) => {
    const value =
      "command" in server
        ? `{command=${JSON.stringify(server.command)},args=${JSON.stringify(server.args)},env=${table(server.env)}}`
        : `{url=${JSON.stringify(server.url)},http_headers=${table(server.headers)}}`;
    return ["--config", `mcp_servers.${server.name}=${value}`];
  });
}

function table(values: Readonly<Record<string, string>>): string {
  return `{${Object.entries(values)
    .map(([name, value]) => `${JSON.stringify(name)}=${JSON.stringify(value)}`)
    .join(",")}}`;
}

/** Goose takes a command line per server. A server given by URL can have no headers and cannot use `sse`. */
export function gooseServers(servers: Servers): readonly string[] | undefined {
  const args = servers.map((server) => {
    if ("command" in server) {
      const variables = Object.entries(server.env).map(([name, value]) => `${name}=${shellLine([value])}`);
      return ["--with-extension", `${server.name}:${[...variables, shellLine([server.command, ...server.args])].join(" ")}`];
    }
    return server.type === "http" && Object.keys(server.headers).length === 0
      ? ["--with-streamable-http-extension", server.url]
      : undefined;
  });
  return args.includes(undefined) ? undefined : args.flatMap((each) => each ?? []);
}

/** OpenCode and Kilo take settings from a variable and merge them over the user's own. */
export function opencodeServers(servers: Servers, prefix: "OPENCODE" | "KILO"): Readonly<Record<string, string>> {
  const mcp = servers.map((server) => {
    const { name } = server;
    if ("url" in server) return [name, { type: "remote", url: server.url, headers: server.headers, enabled: true }];
    return [name, { type: "local", command: [server.command, ...server.args], environment: server.env, enabled: true }];
  });
  return { [`${prefix}_CONFIG_CONTENT`]: JSON.stringify({ mcp: Object.fromEntries(mcp) }) };
}
