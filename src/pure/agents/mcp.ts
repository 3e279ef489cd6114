import { shellLine } from "../base/index.ts";
// Servers of the Model Context Protocol in the words of each CLI that can be given them when it is started. Each answers undefined
// where there is a server that the CLI could not be given whole: none is then, and it is said.
import type { McpServer } from "../pipeline/index.ts";

type Servers = readonly McpServer[];

/** Claude Code: one argument, a document. Also what most settings files look like. */
export function claudeServers(servers: Servers): readonly string[] {
  const entries = servers.map(({ name, ...server }) => [name, server]);
  return [`--mcp-config=${JSON.stringify({ mcpServers: Object.fromEntries(entries) })}`];
}

/** Codex: settings, in TOML; a JSON string is one of its strings. It has no way to speak with `sse`. */
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

/** Goose: a command line each. An address it is given cannot have headers, nor be spoken with by `sse`. */
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
  return args.includes(undefined) ? undefined : args.flatMap((words) => words ?? []);
}

/** OpenCode and Kilo: settings in a variable, which are laid over the user's own. */
export function opencodeServers(servers: Servers, prefix: "OPENCODE" | "KILO"): Readonly<Record<string, string>> {
  const mcp = servers.map((server) => {
    const { name } = server;
    if ("url" in server) return [name, { type: "remote", url: server.url, headers: server.headers, enabled: true }];
    return [name, { type: "local", command: [server.command, ...server.args], environment: server.env, enabled: true }];
  });
  return { [`${prefix}_CONFIG_CONTENT`]: JSON.stringify({ mcp: Object.fromEntries(mcp) }) };
}
