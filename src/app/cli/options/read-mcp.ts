import { readFileSync } from "node:fs";
import {
  arrayOf,
  codeOf,
  HarnessError,
  isObject,
  type JsonObject,
  objectOf,
  parseJson,
  spelled,
  wordOf,
} from "../../../pure/base/index.ts";
import type { McpServer } from "../../../pure/pipeline/index.ts";
import { commandArgv } from "../../../pure/shell/index.ts";

/** `--mcp tests=node server.mjs`, or `--mcp servers.json` in the format of Claude Code and Cursor. */
export function readMcp(value: string): readonly McpServer[] {
  const named = /^([\w.-]+)=(.+)$/s.exec(value);
  return named === null ? serversIn(value) : [typed(named[1] ?? "", named[2] ?? "")];
}

function typed(name: string, line: string): McpServer {
  if (/^https?:\/\//.test(line)) return { name, type: "http", url: line, headers: {} };
  const [command, ...args] = commandArgv(line) ?? [];
  if (command === undefined)
    throw new HarnessError("usage", `Invalid value for --mcp: ${name}=${line}. Pass a program with arguments, a URL, or a JSON file.`);
  return { name, command, args, env: {} };
}

function serversIn(path: string): readonly McpServer[] {
  const value = jsonOf(path);
  const servers = objectOf(value["mcpServers"]) ?? objectOf(value["servers"]) ?? value;
  return Object.entries(servers).map(([name, server]) => serverOf(path, name, objectOf(server) ?? {}));
}

function serverOf(path: string, name: string, server: JsonObject): McpServer {
  const command = wordOf(server["command"]);
  const url = wordOf(server["url"]);
  if (command !== undefined) return { name, command, args: (arrayOf(server["args"]) ?? []).map(spelled), env: textsIn(server["env"]) };
  if (url !== undefined) return { name, type: server["type"] === "sse" ? "sse" : "http", url, headers: textsIn(server["headers"]) };
  throw new HarnessError("input", `The MCP server ${name} in ${path} has neither a command nor a url. Add one of them.`);
}

function textsIn(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(objectOf(value) ?? {}).map(([name, text]) => [name, spelled(text)]));
}

function jsonOf(path: string): JsonObject {
  let value: unknown;
  try {
    value = parseJson(readFileSync(path, "utf8"));
  } catch (error) {
    const isMissing = codeOf(error) === "ENOENT";
    const why = isMissing ? "there is no such file. For a program, pass name=command" : "it is not a readable JSON file";
    throw new HarnessError("input", `Cannot read MCP servers from ${path}: ${why}.`, { cause: error });
  }
  if (isObject(value)) return value;
  throw new HarnessError("input", `${path} has no MCP servers: it must be an object with mcpServers.`);
}
