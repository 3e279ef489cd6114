import type { JsonObject } from "../../../pure/base/index.ts";
import type { McpServer } from "../../../pure/pipeline/index.ts";

/** A server in the form of `session/new`, with variables and headers as lists. */
export function mcpParameter(server: McpServer): JsonObject {
  const { name } = server;
  if ("command" in server) return { name, command: server.command, args: server.args, env: listOf(server.env) };
  return { type: server.type, name, url: server.url, headers: listOf(server.headers) };
}

function listOf(values: Readonly<Record<string, string>>): readonly JsonObject[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
