/** The files of a small ACP adapter that echoes the prompt. They need no packages. */
export function adapterFiles(name: string, language: "ts" | "python"): ReadonlyMap<string, string> {
  const program = language === "ts" ? `node ${name}.ts` : `python3 ${name}.py`;
  return new Map([
    [language === "ts" ? `${name}.ts` : `${name}.py`, language === "ts" ? TYPESCRIPT : PYTHON],
    ["README.md", readme(name, program, language === "ts" ? NODE : "")],
  ]);
}

function readme(name: string, program: string, more: string): string {
  return `# ${name}

An adapter that speaks the Agent Client Protocol on standard input and output, one JSON-RPC message per line. Write messages
for people to standard error.

\`\`\`sh
harness adapter:check ${program}
harness run --agent acp --prompt 'Say hello.' -- ${program}
harness capture prompts.jsonl ${program} -o results.jsonl
\`\`\`
${more}`;
}

const NODE = "\nNode 22.18 or newer runs TypeScript. With an older Node, use `npx jiti` or `bun` instead.\n";

const TYPESCRIPT = `// Run it with Node 22.18 or newer, npx jiti, or bun.
import { createInterface } from "node:readline";

type Params = { cwd: string; sessionId: string; prompt: { text?: string }[] };
type Message = { id?: number | string; method?: string; params?: Params };
const sessions = new Map<string, { cwd: string; isCancelled: boolean }>();

function send(message: object): void {
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
}

function update(sessionId: string, change: object): void {
  send({ method: "session/update", params: { sessionId, update: change } });
}

/** Call your agent here, and report with update(): agent_message_chunk, agent_thought_chunk, tool_call, tool_call_update, plan. */
async function answer(sessionId: string, prompt: string): Promise<string> {
  update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: \`You said: \${prompt}\` } });
  return sessions.get(sessionId)?.isCancelled ? "cancelled" : "end_turn";
}

const methods: Record<string, (params: Params) => unknown> = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] }),
  "session/new": ({ cwd }) => {
    const sessionId = crypto.randomUUID();
    sessions.set(sessionId, { cwd, isCancelled: false });
    return { sessionId };
  },
  "session/prompt": async ({ sessionId, prompt }) => {
    const text = prompt.map((block) => block.text ?? "").join("");
    return { stopReason: await answer(sessionId, text) };
  },
  "session/cancel": ({ sessionId }) => {
    const session = sessions.get(sessionId);
    if (session !== undefined) session.isCancelled = true;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method = "", params = {} as Params }: Message = JSON.parse(line);
  const handler = methods[method];
  if (handler === undefined) {
    if (id !== undefined) send({ id, error: { code: -32601, message: \`There is no method \${method}\` } });
    continue;
  }
  Promise.resolve()
    .then(() => handler(params))
    .then((result) => id !== undefined && send({ id, result: result ?? null }))
    .catch((error) => id !== undefined && send({ id, error: { code: -32603, message: String(error) } }));
}
`;

const PYTHON = `#!/usr/bin/env python3
import json
import sys
import uuid

sessions = {}


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n")
    sys.stdout.flush()


def update(session_id, change):
    send({"method": "session/update", "params": {"sessionId": session_id, "update": change}})


def answer(session_id, prompt):
    """Call your agent here, and report with update(): agent_message_chunk, agent_thought_chunk, tool_call, tool_call_update, plan."""
    update(session_id, {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "You said: " + prompt}})
    return "cancelled" if sessions[session_id]["cancelled"] else "end_turn"


def initialize(params):
    return {"protocolVersion": 1, "agentCapabilities": {}, "authMethods": []}


def new_session(params):
    session_id = str(uuid.uuid4())
    sessions[session_id] = {"cwd": params.get("cwd"), "cancelled": False}
    return {"sessionId": session_id}


def prompt(params):
    text = "".join(block.get("text", "") for block in params["prompt"])
    return {"stopReason": answer(params["sessionId"], text)}


def cancel(params):
    if params["sessionId"] in sessions:
        sessions[params["sessionId"]]["cancelled"] = True


METHODS = {"initialize": initialize, "session/new": new_session, "session/prompt": prompt, "session/cancel": cancel}

for line in sys.stdin:
    message = json.loads(line)
    handler = METHODS.get(message.get("method"))
    if handler is None:
        if "id" in message:
            send({"id": message["id"], "error": {"code": -32601, "message": "There is no method " + str(message.get("method"))}})
        continue
    try:
        result = handler(message.get("params") or {})
        if "id" in message:
            send({"id": message["id"], "result": result})
    except Exception as error:
        if "id" in message:
            send({"id": message["id"], "error": {"code": -32603, "message": str(error)}})
`;
