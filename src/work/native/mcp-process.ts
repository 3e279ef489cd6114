import { randomBytes } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { JSONRPCMessage, MCPTransport } from "@ai-sdk/mcp";
import { installed, type Launched, localLauncher, onlyVariables } from "../../host/process/index.ts";
import { parseObject } from "../../pure/base/index.ts";
import { lineSplitter, type McpProgram } from "../../pure/pipeline/index.ts";

/** The variables that a server inherits: none that could be a secret. */
const INHERITED = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];

/** How long a server may take to exit after its input closes. */
const GRACE_MS = 300;

/**
 * Connects to an MCP server that is a program. It runs behind the same guardian as all agents: when it ends, everything it started ends,
 * even if it ignores us or we are killed. (The SDK's own transport stops only the program itself.)
 */
export function mcpProcess({ command, args, env }: McpProgram, cwd: string = process.cwd()): MCPTransport {
  let running: Launched | undefined;
  let isOver = false;

  function hear(server: Launched): void {
    const lines = lineSplitter((bytes, start, end) => Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8"));
    server.stdin?.on("error", () => {}); // it is gone: `exited` reports that
    server.stdout?.on("error", () => {});
    server.stdout?.on("data", (chunk: Buffer) => {
      for (const { text } of lines.push(chunk)) {
        const message = parseObject(text);
        if (message !== undefined) transport.onmessage?.(message as unknown as JSONRPCMessage); // other lines were printed by mistake
      }
    });
    void server.exited.then(async () => {
      await server.finish();
      if (!isOver) transport.onclose?.();
      isOver = true;
    });
  }

  const transport: MCPTransport = {
    async start() {
      const all = { ...onlyVariables(INHERITED, process.env), ...env };
      const binary = programOf(command, all["PATH"], cwd);
      const cookie = `mcp.${randomBytes(12).toString("hex")}`;
      running = await localLauncher.launch({ binary, args, cwd, env: all, cookie, stdio: ["pipe", "pipe", "ignore"] });
      if (isOver)
        await running.finish(); // closed in the meantime
      else hear(running);
    },
    async send(message) {
      if (running?.stdin == null || isOver) throw new Error("it is not running");
      running.stdin.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      const wasOver = isOver;
      isOver = true;
      running?.stdin?.end();
      if (running !== undefined) await Promise.race([running.exited, pause(GRACE_MS, undefined, { ref: false })]);
      await running?.finish();
      if (!wasOver) transport.onclose?.();
    },
  };
  return transport;
}

function programOf(command: string, path: string | undefined, cwd: string): string {
  if (!command.includes("/")) {
    const found = installed([command], path);
    if (found === undefined) throw new Error(`program not found on PATH: ${command}`);
    return found;
  }
  const program = resolve(cwd, command);
  accessSync(program, constants.X_OK); // otherwise it would just seem to exit
  return program;
}
