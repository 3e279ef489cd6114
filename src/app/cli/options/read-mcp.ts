import { readFileSync } from "node:fs";
import { arrayOf, codeOf, HarnessError, isObject, type JsonObject, objectOf, wordOf } from "../../../pure/base/index.ts";
import type { McpServer } from "../../../pure/pipeline/index.ts";
import { commandArgv } from "../../../pure/shell/index.ts";

/** `--mcp tests=node server.mjs`, or `--mcp servers.json` as Claude Code, Cursor and others have it. */
export function readMcp(word: string): readonly McpServer[] {
  const named = /^([\w.-]+)=(.+)$/s.exec(word);
  return named === null ? serversIn(word) : [typed(named[1] ?? "", named[2] ?? "")];
}

function typed(name: string, line: string): McpServer {
  if (/^https?:\/\//.test(line)) return { name, type: "http", url: line, headers: {} };
  const [command, ...args] = commandArgv(line) ?? [];
  if (command === undefined)
    throw new HarnessError("usage", `--mcp ${name}= takes a program and its words, or an address; for more, give a JSON file.`);
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
  if (command !== undefined) return { name, command, args: (arrayOf(server["args"]) ?? []).map(String), env: wordsIn(server["env"]) };
  if (url !== undefined) return { name, type: server["type"] === "sse" ? "sse" : "http", url, headers: wordsIn(server["headers"]) };
  throw new HarnessError("input", `The server ${name} in ${path} has neither a command nor a url; give it one.`);
}

function wordsIn(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(objectOf(value) ?? {}).map(([name, word]) => [name, String(word)]));
}

function jsonOf(path: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const isMissing = codeOf(error) === "ENOENT";
    const why = isMissing ? "there is no such file; write name=command for a program" : "it is not a JSON file that can be read";
    throw new HarnessError("input", `Cannot read the MCP servers of ${path}: ${why}.`, { cause: error });
  }
  if (isObject(value)) return value;
  throw new HarnessError("input", `The file ${path} holds no MCP servers: give an object with mcpServers.`);
}
