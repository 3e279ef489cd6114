#!/usr/bin/env node
// An agent that speaks the Agent Client Protocol, well or badly: acp.mjs <behaviour> [arguments…]. Its output to a file is synchronous.
import { writeSync } from "node:fs";

const [what = "behaves", ...args] = process.argv.slice(process.argv[2] === "acp" ? 3 : 2);
const answers = new Map(); // to our requests
let asked = 0;

function print(line) {
  const bytes = Buffer.from(`${line}\n`);
  for (let done = 0; done < bytes.length; ) done += writeSync(1, bytes, done);
}

function tell(message) {
  print(JSON.stringify({ jsonrpc: "2.0", ...message }));
}

function update(sessionUpdate, rest = {}) {
  tell({ method: "session/update", params: { sessionId: "s-1", update: { sessionUpdate, ...rest } } });
}

function say(text) {
  update("agent_message_chunk", { content: { type: "text", text }, messageId: "m" });
}

function ask(method, params, id = `q${++asked}`) {
  tell({ id, method, params });
  return new Promise((resolve) => answers.set(id, resolve));
}

const OPTIONS = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

/** Asks whether it may run a command, and does as if it did. */
async function call(toolCallId, command, kind = "execute", options = OPTIONS) {
  update("tool_call", { toolCallId, name: "bash", kind, title: command, rawInput: { command }, status: "pending" });
  const { result } = await ask("session/request_permission", { sessionId: "s-1", toolCall: { toolCallId, kind, title: command }, options });
  const isAllowed = ["yes", "always"].includes(result?.outcome?.optionId);
  update("tool_call_update", {
    toolCallId,
    status: isAllowed ? "completed" : "failed",
    rawOutput: { exit_code: isAllowed ? 0 : undefined },
  });
  return result?.outcome;
}

let stop = () => {};
let isStopped = false;
const stopped = new Promise((resolve) => {
  stop = () => {
    isStopped = true;
    resolve();
  };
});

const turns = {
  behaves: () => say("Done."),
  /** Says a secret in pieces. */
  spells() {
    const text = `The key is ${process.env["CANARY_TOKEN"]}, and that is all.`;
    for (let at = 0; at < text.length; at += Number(args[0])) say(text.slice(at, at + Number(args[0])));
  },
  async asks() {
    for (const [i, arg] of args.entries()) {
      const [kind, command] = arg.includes("=") ? arg.split("=") : ["execute", arg];
      say(`${JSON.stringify(await call(`c${i}`, command, kind))}\n`);
    }
  },
  async "starts-subagent"() {
    update("tool_call", { toolCallId: "t", name: "task", kind: "think", title: "task", rawInput: {}, status: "pending" });
    const toolCall = { toolCallId: "t", kind: "think", title: "task" };
    say(JSON.stringify(await ask("session/request_permission", { sessionId: "s-1", toolCall, options: OPTIONS })));
  },
  "acts-unasked"() {
    for (const [i, command] of args.entries()) {
      update("tool_call", { toolCallId: `c${i}`, name: "bash", kind: "execute", title: command, rawInput: { command }, status: "pending" });
      update("tool_call_update", { toolCallId: `c${i}`, status: "completed", rawOutput: { exit_code: 0 } });
    }
    say("Done.");
  },
  "asks-and-stops": async () => {
    const outcome = await call("c0", "rm -r x");
    if (outcome?.optionId === "no") return "cancelled";
  },
  "asks-and-waits": async () => {
    say(JSON.stringify(await call("c0", "make")));
    await stopped;
  },
  "long-id": async () => void (await call("c".repeat(300 * 1024), "make")),
  "offers-nothing": async () => say(JSON.stringify(await call("c0", "ls -l", "execute", []))),
  async "dies-asking"() {
    void call("c0", "make");
    process.exit(Number(args[0] ?? 0));
  },
  oversize() {
    writeSync(1, '{"jsonrpc":"2.0","method":"session/update","params":"');
    const piece = Buffer.alloc(1024 * 1024, "x");
    for (let i = 0; i < 17; i++) writeSync(1, piece);
    print('"}');
    say("Still here.");
  },
  garbage() {
    for (const line of [
      "",
      "not json",
      "{",
      '{"jsonrpc":',
      "[]",
      "null",
      "42",
      '{"jsonrpc":"2.0"}',
      '{"id":{},"method":"x"}',
      '{"id":7,"error":"bare"}',
    ])
      print(line);
    print("\u001b[31mred\u001b[0m \ufffd");
    writeSync(1, Buffer.from([0xff, 0xfe, 0x0a]));
    print('{"jsonrpc":"2.0","id":1e999,"method":"x"}');
    tell({ method: "session/update", params: { update: 5 } });
    tell({ method: "session/request_permission" });
    say("Still here.");
  },
  async "reuses-an-id"() {
    const first = ask("session/request_permission", { sessionId: "s-1", toolCall: { toolCallId: "a" }, options: OPTIONS }, 0);
    tell({ id: 0, method: "session/request_permission", params: { sessionId: "s-1", toolCall: { toolCallId: "b" }, options: OPTIONS } });
    tell({ id: 0, method: "fs/read_text_file", params: { sessionId: "s-1", path: "/etc/passwd" } });
    await first;
    say("Still here.");
  },
  async floods() {
    const count = Number(args[0]);
    const all = [];
    for (let i = 0; i < count; i++) {
      all.push(
        ask(i % 2 ? "terminal/create" : "session/request_permission", {
          sessionId: "s-1",
          toolCall: { toolCallId: `f${i}` },
          options: OPTIONS,
        }),
      );
      say(`${i}\n`);
    }
    await Promise.all(all);
    say("All answered.");
  },
  async "floods-deaf"() {
    process.stdin.pause();
    setInterval(() => {}, 1000);
    for (let i = 0; i < 12_000; i++) void ask("terminal/create", { sessionId: "s-1" });
    say("Enough.");
  },
  "never-answers": () => new Promise(() => {}),
  async "waits-for-cancel"() {
    say("Working.");
    await stopped;
    return "cancelled";
  },
  "wrong-id": () => {
    tell({ id: 999, result: { stopReason: "end_turn" } });
    return new Promise(() => {});
  },
  "ends-otherwise": () => args[0],
  leaks: () => say(`I know ${process.env.A_TOKEN} and ${args.join(" ")}`),
  closes: () => {
    process.stdin.destroy();
    return new Promise(() => setInterval(() => {}, 1000));
  },
};

const methods = {
  initialize: () =>
    what === "wrong-version"
      ? { protocolVersion: 7 }
      : { protocolVersion: 1, agentInfo: { name: "fake", version: "1.0" }, agentCapabilities: { loadSession: true } },
  "session/new": ({ mcpServers }) => {
    if (what === "needs-login" && !loggedIn) throw { code: -32000, message: "Authentication required" };
    if (what === "tells-mcp") say(JSON.stringify(mcpServers));
    const modes = { currentModeId: "auto", availableModes: [{ id: "auto" }, { id: "approve" }] };
    return { sessionId: "s-1", ...(args.includes("modes") && { modes }) };
  },
  "session/load"({ sessionId }) {
    say(`Loaded ${sessionId}.`);
    return {};
  },
  "session/set_mode"({ modeId }) {
    say(`Mode ${modeId}.`);
    return {};
  },
  authenticate() {
    loggedIn = true;
    return {};
  },
  async "session/prompt"() {
    if (what === "fails") throw { code: Number(args[0]), message: args[1] };
    const stopReason = await (turns[what] ?? turns.behaves)();
    return { stopReason: isStopped ? "cancelled" : (stopReason ?? "end_turn") };
  },
};
let loggedIn = false;
if (what === "needs-login") methods.initialize = () => ({ protocolVersion: 1, authMethods: [{ id: "oauth" }, { id: "fake-api-key" }] });

async function hear(line) {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) return answers.get(id)?.({ result, error });
  if (method === "session/cancel") return stop();
  if (id === undefined) return;
  try {
    const answer = await methods[method](params);
    tell({ id: what === "string-ids" ? String(id) : id, result: answer });
  } catch (error) {
    tell({ id, error });
  }
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop();
  for (const line of lines) void hear(line);
});
process.stdin.on("end", () => {
  if (!args.includes("stays")) process.exit(0);
});
if (args.includes("stays")) setInterval(() => {}, 1000);
