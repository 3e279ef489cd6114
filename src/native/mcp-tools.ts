import type { Tool } from "ai";
import type { McpServer } from "../core/agent.ts";
import { errorWords, HarnessError } from "../core/errors.ts";
import type { Tools } from "./tool-schema.ts";

/** Tools of servers of the Model Context Protocol, for as long as they are open. */
export interface McpTools {
  /** Under the name of the server: `demo__echo`. */
  readonly tools: Tools;
  close(): Promise<void>;
}

const PATIENCE_MS = 30_000;

/** Connects with all of them; where one cannot be reached, none is kept. */
export async function mcpTools(servers: readonly McpServer[], { cwd }: { readonly cwd?: string } = {}): Promise<McpTools> {
  const opened = await Promise.allSettled(servers.map((server) => open(server, cwd)));
  const clients = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const close = async () => void (await Promise.allSettled(clients.map(({ client }) => client.close())));
  const failed = opened.find((each) => each.status === "rejected");
  if (failed !== undefined) {
    await close();
    throw failed.reason;
  }
  return { tools: Object.fromEntries(clients.flatMap(({ tools }) => tools)), close };
}

async function open(server: McpServer, cwd: string | undefined) {
  const { name } = server;
  const { createMCPClient } = await import("@ai-sdk/mcp");
  try {
    const client = await withinTime(createMCPClient({ transport: await transportOf(server, cwd), clientName: "harness" }));
    const offered = (await withinTime(client.tools())) as Readonly<Record<string, Tool>>;
    return { client, tools: Object.entries(offered).map(([tool, made]) => [`${name}__${tool}`, made] as const) };
  } catch (error) {
    throw new HarnessError("start", `The MCP server ${name} cannot be used: ${errorWords(error)}.`, { cause: error });
  }
}

async function transportOf(server: McpServer, cwd: string | undefined) {
  if ("url" in server) return { type: server.type, url: server.url, headers: { ...server.headers } };
  const { Experimental_StdioMCPTransport: StdioTransport } = await import("@ai-sdk/mcp/mcp-stdio");
  const { command, args, env } = server;
  return new StdioTransport({ command, args: [...args], env: { ...env }, ...(cwd !== undefined && { cwd }), stderr: "ignore" });
}

function withinTime<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not answer within ${PATIENCE_MS / 1000} seconds`)), PATIENCE_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
