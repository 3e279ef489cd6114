import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import type { McpProgram } from "../../../src/pure/pipeline/agent.ts";
import { agentHarness } from "../../../src/work/native/agent-harness.ts";
import { mcpTools } from "../../../src/work/native/mcp-tools.ts";
import { providerHarness } from "../../../src/work/native/provider-harness.ts";
import { isAlive } from "../../support/place.ts";
import { accessTo, closed, folder, models, only, scripted } from "./support.ts";

/** A server that starts its own program, prints both process ids, ignores signals, and answers as scripted. */
const SERVER = `
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, () => {});
setInterval(() => {}, 1000);
const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
writeFileSync(process.argv[2], process.pid + " " + child.pid);
const isMute = process.argv[3] === "mute";
process.stdout.write("no JSON at all\\n");
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (isMute || id === undefined) continue;
  const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  if (method === "initialize") answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } });
  else if (method === "tools/list") answer({ tools: ["wait", "env"].map((name) => ({ name, inputSchema: { type: "object" } })) });
  else if (params?.name === "env") answer({ content: [{ type: "text", text: Object.keys(process.env).join(" ") }] });
}
`;

function serverIn(root: string, ...args: readonly string[]): { readonly server: McpProgram; readonly pids: () => readonly number[] } {
  const [file, pidFile] = [join(root, "server.mjs"), join(root, "pids")];
  writeFileSync(file, SERVER);
  const server = { name: "odd", command: process.execPath, args: [file, pidFile, ...args], env: { GIVEN: "1" } };
  return { server, pids: () => (existsSync(pidFile) ? readFileSync(pidFile, "utf8").split(" ").map(Number) : []) };
}

describe("an MCP server", () => {
  test("ends with everything it started, even if it ignores signals", async () => {
    const { server, pids } = serverIn(folder());
    const servers = await mcpTools([server]);
    onTestFinished(() => servers.close());
    const { tools } = servers;
    expect(Object.keys(tools)).toEqual(["odd__wait", "odd__env"]);
    const answer = (await tools["odd__env"]?.execute?.({}, { toolCallId: "x", messages: [] })) as { content: { text: string }[] };
    const names = answer.content[0]?.text.split(" ") ?? [];
    expect(names).toEqual(expect.arrayContaining(["GIVEN", "PATH"]));
    expect(names.filter((name) => /KEY|VITEST|NODE_/.test(name))).toEqual([]);
    const alive = pids();
    expect(alive.filter(isAlive)).toEqual(alive);
    await servers.close();
    await expect.poll(() => alive.filter(isAlive), { timeout: 10_000 }).toEqual([]);
  });

  test("that never answers is given up and leaves nothing behind", async () => {
    const { server, pids } = serverIn(folder(), "mute");
    await expect(mcpTools([server], { patienceMs: 3000 })).rejects.toThrow(
      "The MCP server odd cannot be used: it did not answer within 3 seconds.",
    );
    await expect.poll(() => pids().filter(isAlive), { timeout: 10_000 }).toEqual([]);
  });

  test.each([
    ["/no/such/program", /^The MCP server none cannot be used: .*no such file.*\.$/],
    ["no-such-program", /^The MCP server none cannot be used: program not found on PATH: no-such-program\.$/],
    ["true", /^The MCP server none cannot be used: .+\.$/],
  ])("that cannot be used gives one sentence: %s", async (command, sentence) => {
    await expect(mcpTools([{ name: "none", command, args: [], env: {} }], { patienceMs: 20_000 })).rejects.toThrow(sentence);
  });

  test("a waiting call is canceled like any other", async () => {
    const { server } = serverIn(folder());
    const servers = await mcpTools([server]);
    onTestFinished(() => servers.close());
    const { tools } = servers;
    const model = models.anthropic;
    const scenario = "turns: [{ tools: [{ mcp: { server: odd, tool: wait, input: {} } }] }]";
    const agent = agentHarness({ provider: providerHarness(accessTo(await scripted(scenario), model)) });
    const stop = new AbortController();
    const call = { model, messages: [{ role: "user" as const, content: "Go." }], tools, permissions: { allowlist: ["*"] } };
    const events: HarnessEvent[] = [];
    let since = 0;
    for await (const event of agent.invoke({ ...call, signal: stop.signal })) {
      events.push(event);
      if (event.type !== "tool_call") continue;
      since = performance.now();
      setTimeout(() => stop.abort(), 100);
    }
    expect(performance.now() - since).toBeLessThan(5000);
    closed(events);
    expect(only(events, "tool_result").map(({ output }) => output)).toEqual([{ error: "Canceled before it had ended." }]);
  });
});
