// A pinned agent with everything it needs to reach one scripted model: variables, files in its home, arguments.
import type { Files, Pin } from "./pin.ts";

/** A pin with its variables, files and arguments filled in for one model. */
export type Settled = Omit<Pin, "environment" | "files" | "args"> & {
  readonly environment: Readonly<Record<string, string>>;
  readonly files: Files;
  readonly args: readonly string[];
  /** Options of `harness run`. */
  readonly options: readonly string[];
};

/** `mcpServer`: the script of an MCP server to provide under the name `demo`, and its arguments. */
export function settled(pin: Pin, url: string, mcpServer: readonly string[] = []): Settled {
  const server = mcpServer.length === 0 ? undefined : pin.mcp?.({ name: "demo", command: process.execPath, args: mcpServer }, url);
  return {
    ...pin,
    environment: { ...pin.environment(url), ...server?.environment },
    files: { ...pin.files(url), ...server?.files },
    args: [...pin.args(url), ...(server?.args ?? [])],
    options: server?.options ?? [],
  };
}
