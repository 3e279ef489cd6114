// A coding assistant in a terminal, with approvals: node chat.mjs <model> [directory]
// Each message is recorded as a run. Type while it works to steer it; Ctrl-C stops an answer, and a second one leaves.
import { createInterface } from "node:readline";
import { agentHarness, providerHarness, record, workspaceTools } from "harness-recorder";

const [model, root = "."] = process.argv.slice(2);
if (model === undefined) {
  console.error("usage: node chat.mjs <model> [directory]   for example: node chat.mjs local/qwen3 .");
  process.exit(2);
}

const agent = agentHarness({ provider: providerHarness() });
const session = agent.session({
  model,
  tools: await workspaceTools({ root }),
  system: `You are a coding assistant. You work in ${root}. Be brief.`,
  permissions: { allowlist: ["read", "search", "list"], deny: [{ tool: "*", params: { path: ".env" } }], root },
});

const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: "> " });
const questions = []; // relays that wait for an answer
let isWorking = false;
let isOver = false;
const messages = [];

terminal.on("line", (line) => {
  const text = line.trim();
  if (questions.length > 0) answer(questions.shift(), text);
  else if (text !== "" && isWorking) session.steer(text);
  else if (text !== "") messages.push(text);
  void work();
});
terminal.on("SIGINT", () => (session.cancel() ? undefined : terminal.close()));
terminal.on("close", () => {
  isOver = true;
  for (const relay of questions.splice(0)) relay.respond("deny"); // no one can answer any more
  void work();
});
terminal.prompt();

/** Answers all messages, one after the other. */
async function work() {
  if (isWorking) return;
  isWorking = true;
  for (let text = messages.shift(); text !== undefined; text = messages.shift()) {
    for await (const event of record(session.send(text), { model, prompt: text })) show(event);
  }
  isWorking = false;
  if (isOver) process.exit(0);
  terminal.prompt();
}

function show(event) {
  switch (event.type) {
    case "text":
      process.stdout.write(event.content);
      break;
    case "tool_call":
      console.log(`\n· ${event.name} ${JSON.stringify(event.input).slice(0, 100)}`);
      break;
    case "tool_result":
      if ("error" in event.output || "status" in event.output) console.log(`  ${event.output.error ?? event.output.reason}`);
      break;
    case "relay":
      if (isOver) return void event.respond("deny");
      questions.push(event);
      if (questions.length === 1) ask(event);
      break;
    case "compaction":
      console.log("· (the conversation was summarized)");
      break;
    case "error":
      if (event.code !== "canceled") console.log(`\n! ${event.message}`);
      break;
    case "harness_end":
      if (event.runId.startsWith("agent")) process.stdout.write("\n");
  }
}

function ask({ tool, params }) {
  console.log(`\n? ${tool} ${JSON.stringify(params).slice(0, 200)}\n  Allow it? [y]es, [a]lways, or why not:`);
}

function answer(relay, text) {
  if (/^y(es)?$/i.test(text)) relay.respond("once");
  else if (/^a(lways)?$/i.test(text)) relay.respond("always");
  else relay.respond({ decision: "deny", reason: text === "" ? "The user said no." : text });
  if (questions.length > 0) ask(questions[0]);
}
