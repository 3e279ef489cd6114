// A small agent: does what its steps say, and reports what they say. Arguments: the format, and a file with the steps and the answer.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";

const [format, file] = process.argv.slice(2);
const { steps, answer } = JSON.parse(readFileSync(file, "utf8"));
let calls = 0;

const print = (line) => process.stdout.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);

/** Each format starts a call, ends it, says something, and gives the final answer. */
const formats = {
  claude: {
    begin: () => print({ type: "system", subtype: "init", session_id: "s", cwd: process.cwd(), tools: [] }),
    start: (id, { tool, input }, parent) =>
      print({ type: "assistant", session_id: "s", ...of(parent), message: message(id, { type: "tool_use", id, name: tool, input }) }),
    end: (id, { output, code }, _, parent) => {
      const result = { type: "tool_result", tool_use_id: id, content: output, is_error: code !== 0 };
      print({ type: "user", session_id: "s", ...of(parent), message: { role: "user", content: [result] } });
    },
    say: (text, parent) =>
      print({ type: "assistant", session_id: "s", ...of(parent), message: message(`t${calls++}`, { type: "text", text }) }),
    answer: (text) => print({ type: "result", subtype: "success", is_error: false, result: text, session_id: "s" }),
  },
  codex: {
    begin: () => print({ type: "thread.started", thread_id: "s" }),
    start: (id, call) =>
      print({
        type: "item.started",
        item: { id, ...item(call), ...(call.command && { aggregated_output: "", exit_code: null }), status: "in_progress" },
      }),
    end: (id, { output, code }, call) => {
      const ending = call.command === undefined ? {} : { aggregated_output: output, exit_code: code };
      print({ type: "item.completed", item: { id, ...item(call), ...ending, status: code === 0 ? "completed" : "failed" } });
    },
    say: (text) => print({ type: "item.completed", item: { id: `t${calls++}`, type: "agent_message", text } }),
    answer: () => print({ type: "turn.completed", usage: { input_tokens: 3, cached_input_tokens: 0, output_tokens: 3 } }),
  },
  plain: { begin() {}, start() {}, end() {}, say: print, answer() {} },
};

function message(id, part) {
  return { id: `m${id}`, role: "assistant", content: [part] };
}

function of(parent) {
  return parent === undefined ? {} : { parent_tool_use_id: parent };
}

function item({ command, path, tool, input }) {
  if (command !== undefined) return { type: "command_execution", command: `/bin/bash -lc '${command.replaceAll("'", "'\\''")}'` };
  if (path !== undefined) return { type: "file_change", changes: [{ path: `${process.cwd()}/${path}`, kind: "update" }] };
  return { type: "mcp_tool_call", server: "s", tool, arguments: input, result: null, error: null };
}

function run(command) {
  const { status, stdout, stderr } = spawnSync("bash", [format === "codex" ? "-lc" : "-c", command], { encoding: "utf8" });
  return { output: `${stdout}${stderr}`, code: status ?? 1 };
}

const ways = formats[format];

const kinds = {
  /** A command. `run`: what really runs, if anything; `output` and `code`: what is reported instead. */
  bash: async (command, { run: real = command, ...forged } = {}, parent) => {
    const call = { command, tool: "Bash", input: { command } };
    await reported(call, () => ({ ...(real === false ? { output: "", code: 0 } : run(real)), ...forged }), parent);
  },
  write: async (path, text, { real = true } = {}, parent) => {
    const call = { path, tool: "Write", input: { file_path: path, content: text } };
    const write = () => {
      if (real) mkdirSync(dirname(path), { recursive: true });
      if (real) writeFileSync(path, text);
      return { output: "ok", code: 0 };
    };
    await reported(call, write, parent);
  },
  read: (path, _options, parent) =>
    reported(
      { command: `cat ${path}`, tool: "Read", input: { file_path: path } },
      () => ({ output: readFileSync(path, "utf8"), code: 0 }),
      parent,
    ),
  tool: (tool, command, parent) => reported({ tool, input: { a: 1 } }, () => run(command), parent),
  task: async (inner) => {
    const id = `c${calls++}`;
    ways.start(id, { tool: "Task", input: { description: "Do it", prompt: "Do it", subagent_type: "general-purpose" } });
    for (const [kind, ...args] of inner) await kinds[kind](...args, ...(args.length === 1 ? [undefined] : []), id);
    ways.end(id, { output: "Done.", code: 0 }, { tool: "Task", input: {} });
  },
  hidden: async (command) => void run(command),
  wait: (ms) => setTimeout(ms),
  say: async (text) => ways.say(text),
};

async function reported(call, act, parent) {
  const id = `c${calls++}`;
  ways.start(id, call, parent);
  ways.end(id, await act(), call, parent);
}

ways.begin();
for (const [kind, ...args] of steps) await kinds[kind](...args);
ways.say(answer);
ways.answer(answer);
