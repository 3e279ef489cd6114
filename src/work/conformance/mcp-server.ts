// An MCP server on stdio with three tools for the scenarios: `echo` answers, `fail` reports a failure, `crash` returns a protocol error.
// Its argument is a file to which it adds the name of each tool that was called.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [log] = process.argv.slice(2);

const schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const tools = ["echo", "fail", "crash"].map((name) => ({ name, description: `Does ${name}.`, inputSchema: schema }));

interface Request {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: Params;
}

interface Params {
  readonly protocolVersion?: string;
  readonly name?: string;
  readonly arguments?: { readonly text?: string };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line) as Request;
  if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer(method, params) })}\n`);
}

function answer(method: string, params: Params): object {
  switch (method) {
    case "initialize":
      return {
        result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "demo", version: "1.0.0" } },
      };
    case "tools/list":
      return { result: { tools } };
    case "tools/call":
      return call(params);
    case "ping":
      return { result: {} };
    default:
      return { error: { code: -32601, message: `There is no ${method}.` } };
  }
}

function call({ name, arguments: input }: Params): object {
  if (log !== undefined) appendFileSync(log, `${name}\n`);
  if (name === "crash") return { error: { code: -32000, message: "It crashed." } };
  return { result: { content: [{ type: "text", text: `${name}: ${input?.text}` }], isError: name === "fail" } };
}
