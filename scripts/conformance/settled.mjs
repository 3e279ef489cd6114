// A pinned agent with what it needs to reach one scripted model: variables, files of its home, words of its command line.
import { fileURLToPath } from "node:url";

const SERVER = fileURLToPath(new URL("mcp-server.mjs", import.meta.url));

/** `hasServer`: the MCP server of the scenarios is to be there, under the name `demo`. */
export function settled(agent, url, hasServer = false) {
  const server = hasServer ? agent.mcp({ name: "demo", command: process.execPath, args: [SERVER] }, url) : {};
  return {
    ...agent,
    environment: { ...agent.environment(url), ...server.environment },
    files: { ...agent.files(url), ...server.files },
    args: [...agent.args(url), ...(server.args ?? [])],
    options: server.options ?? [],
  };
}
