#!/usr/bin/env node
// A very small agent: it calls a model over the Chat Completions API and lets it read and write files below the current directory.
//   node agent.mjs "Fix the bug."      with MODEL_URL, such as http://127.0.0.1:8080/v1
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";

const MOST_TURNS = 20;
const text = { type: "string" };
const tools = {
  read: { about: "Read a file.", parameters: { path: text }, run: ({ path }) => readFile(inside(path), "utf8") },
  write: {
    about: "Write a file.",
    parameters: { path: text, content: text },
    async run({ path, content }) {
      await mkdir(dirname(inside(path)), { recursive: true });
      await writeFile(inside(path), content);
      return "written";
    },
  },
};

const messages = [{ role: "user", content: process.argv.slice(2).join(" ") }];
for (let turn = 0; turn < MOST_TURNS; turn++) {
  const { content, tool_calls: calls = [] } = await ask();
  if (content) console.log(content);
  if (calls.length === 0) process.exit(0);
  messages.push({ role: "assistant", content, tool_calls: calls });
  for (const { id, function: call } of calls) messages.push({ role: "tool", tool_call_id: id, content: await use(call) });
}
console.error(`The model did not finish within ${MOST_TURNS} turns.`);
process.exit(1);

async function ask() {
  const url = `${process.env.MODEL_URL ?? "http://127.0.0.1:8080/v1"}/chat/completions`;
  const offered = Object.entries(tools).map(([name, { about, parameters }]) => ({
    type: "function",
    function: { name, description: about, parameters: { type: "object", properties: parameters, required: Object.keys(parameters) } },
  }));
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${process.env.MODEL_API_KEY ?? ""}` },
    body: JSON.stringify({ model: process.env.MODEL ?? "scripted", messages, tools: offered }),
  });
  if (!response.ok) throw new Error(`The model's server answered ${response.status}.`);
  return (await response.json()).choices[0].message;
}

async function use({ name, arguments: input }) {
  try {
    return await tools[name].run(JSON.parse(input));
  } catch (error) {
    return `error: ${error.message}`;
  }
}

function inside(path) {
  const below = relative(process.cwd(), resolve(path));
  if (below === ".." || below.startsWith(`..${sep}`)) throw new Error(`${path} is outside the workspace`);
  return resolve(path);
}
