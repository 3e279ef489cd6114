// A small agent that speaks ACP. It does what specification 004's examples show: it thinks, writes a file and says so, and it knows one
// answer four times out of five. It stores sessions in its home, so that a conversation can continue.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

const memory = join(process.env.HOME, "sessions.json");
const sessions = existsSync(memory) ? JSON.parse(readFileSync(memory, "utf8")) : {};
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (sessionId, body) => send({ method: "session/update", params: { sessionId, update: body } });
const say = (sessionId, sessionUpdate, text) => update(sessionId, { sessionUpdate, content: { type: "text", text } });

function prompt({ sessionId, prompt: [{ text }] }) {
  const { cwd, turns } = sessions[sessionId];
  turns.push(text);
  writeFileSync(memory, JSON.stringify(sessions));
  if (text.includes("button")) {
    say(sessionId, "agent_thought_chunk", "I'll create a styled button template");
    const rawInput = { file_path: "src/button.tsx", content: "<button>" };
    update(sessionId, { sessionUpdate: "tool_call", toolCallId: "c1", title: "Write", kind: "edit", status: "pending", rawInput });
    mkdirSync(dirname(join(cwd, rawInput.file_path)), { recursive: true });
    writeFileSync(join(cwd, rawInput.file_path), rawInput.content);
    update(sessionId, { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed", rawOutput: "File written" });
    update(sessionId, { sessionUpdate: "plan", entries: [{ content: "Write it", priority: "high", status: "completed" }] });
    return say(sessionId, "agent_message_chunk", "I created the button in src/button.tsx");
  }
  if (text.includes("CEO")) {
    const count = Number(process.env.COUNTER === undefined ? 0 : counted(process.env.COUNTER));
    return say(sessionId, "agent_message_chunk", count === 2 ? "I don't know." : "Dario Amodei");
  }
  say(sessionId, "agent_message_chunk", `turn ${turns.length}: ${turns.join(" | ")}`);
}

function counted(file) {
  const count = (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0) + 1;
  writeFileSync(file, String(count));
  return count;
}

const answers = {
  initialize: () => ({
    protocolVersion: 1,
    agentInfo: { name: "claude-code-acp", version: "1.0.0" },
    agentCapabilities: { loadSession: true },
    authMethods: [],
  }),
  "session/new": ({ cwd }) => {
    const sessionId = `s-${Object.keys(sessions).length + 1}`;
    sessions[sessionId] = { cwd, turns: [] };
    writeFileSync(memory, JSON.stringify(sessions));
    return { sessionId };
  },
  "session/load": ({ sessionId }) => {
    if (!(sessionId in sessions)) throw new Error(`no session ${sessionId}`);
    return {};
  },
  "session/prompt": (params) => {
    prompt(params);
    return { stopReason: "end_turn" };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  try {
    const answer = answers[method];
    send(answer === undefined ? { id, error: { code: -32601, message: method } } : { id, result: answer(params) });
  } catch (error) {
    send({ id, error: { code: -32603, message: error.message } });
  }
}
