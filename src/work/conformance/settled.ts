// A pinned agent with what it needs to reach one scripted model: variables, files of its home, words of its command line.
import type { Files, Pin } from "./pin.ts";

/** A pin whose variables, files and words are those of one model. */
export type Settled = Omit<Pin, "environment" | "files" | "args"> & {
  readonly environment: Readonly<Record<string, string>>;
  readonly files: Files;
  readonly args: readonly string[];
  /** Of `harness run`. */
  readonly options: readonly string[];
};

/** `mcpServer`: the script of the MCP server that is to be there, under the name `demo`. */
export function settled(pin: Pin, url: string, mcpServer?: string): Settled {
  const server = mcpServer === undefined ? undefined : pin.mcp?.({ name: "demo", command: process.execPath, args: [mcpServer] }, url);
  return {
    ...pin,
    environment: { ...pin.environment(url), ...server?.environment },
    files: { ...pin.files(url), ...server?.files },
    args: [...pin.args(url), ...(server?.args ?? [])],
    options: server?.options ?? [],
  };
}
