import { errorWords, HarnessError } from "../../pure/base/index.ts";
import type { McpAddress, McpServer } from "../../pure/pipeline/index.ts";
import { mcpProcess } from "./mcp-process.ts";
import type { SdkTools } from "./tool.ts";

/** The tools of MCP servers, for as long as the connections are open. */
export interface McpTools {
  /** Prefixed with the server's name: `demo__echo`. */
  readonly tools: SdkTools;
  close(): Promise<void>;
}

export interface McpOptions {
  /** The working directory of servers that are programs. */
  readonly cwd?: string;
  /** How long a server may take to connect. Default: 30 seconds. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 30_000;

/** Connects to all servers. If one fails, closes them all and rejects. */
export async function mcpTools(servers: readonly McpServer[], { cwd, patienceMs = PATIENCE_MS }: McpOptions = {}): Promise<McpTools> {
  const opened = await Promise.allSettled(servers.map((server) => open(server, cwd, patienceMs)));
  const clients = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const close = async () => void (await Promise.allSettled(clients.map(({ client }) => client.close())));
  const failed = opened.find((each) => each.status === "rejected");
  if (failed !== undefined) {
    await close();
    throw failed.reason;
  }
  return { tools: Object.fromEntries(clients.flatMap(({ tools }) => tools)), close };
}

async function open(server: McpServer, cwd: string | undefined, patienceMs: number) {
  const { name } = server;
  const { createMCPClient } = await import("@ai-sdk/mcp");
  const program = "url" in server ? undefined : mcpProcess(server, cwd);
  try {
    const transport = program ?? addressOf(server as McpAddress);
    const client = await withinTime(createMCPClient({ transport, clientName: "harness" }), patienceMs);
    const offered = (await withinTime(client.tools(), patienceMs)) as SdkTools;
    return { client, tools: Object.entries(offered).map(([tool, made]) => [`${name}__${tool}`, made] as const) };
  } catch (error) {
    await program?.close(); // even if it never answered
    throw new HarnessError("start", `The MCP server ${name} cannot be used: ${errorWords(error).replace(/\.$/, "")}.`, { cause: error });
  }
}

function addressOf({ type, url, headers }: McpAddress) {
  return { type, url, headers: { ...headers } };
}

function withinTime<T>(promise: Promise<T>, patienceMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not answer within ${patienceMs / 1000} seconds`)), patienceMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
