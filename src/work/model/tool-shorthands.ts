import { shellLine } from "../../pure/base/index.ts";
import { countOf, durationOf, type Field, itemsOf, keysOf, required, textOf } from "./field.ts";
import type { Call } from "./model-scenario.ts";

/**
 * Shorthands for calls that a model makes with any agent. Each lists the calls that do it, best first; the offered tools and their
 * parameters decide which one is made, so that one scenario serves all agents. Names and inputs are those of the versions in
 * src/work/conformance/agents.
 */
export const toolShorthands: Readonly<Record<string, (argument: Field) => readonly Call[]>> = {
  /** run: npm test, or { command: npm test, timeout: 1s } */
  run: (argument) => {
    if (typeof argument.value === "string") return shell(argument.value);
    const keys = keysOf(argument, ["command", "timeout"], "a command");
    const timeout = keys.get("timeout");
    return shell(textOf(required(argument, keys, "command")), timeout && durationOf(timeout));
  },

  /** read: src/app.js, or { path: src/app.js, from: 2, to: 3 } */
  read: (argument) => {
    if (typeof argument.value === "string") return reads(argument.value);
    const keys = keysOf(argument, ["path", "from", "to"], "a read");
    const [from, to] = [countOf(required(argument, keys, "from"), 1), countOf(required(argument, keys, "to"), 1)];
    return reads(textOf(required(argument, keys, "path")), { from, to });
  },

  /** write: { path: notes.txt, content: … } */
  write: (argument) => {
    const [path, content] = texts(argument, ["path", "content"], "a write");
    return [
      { name: "Write", input: { file_path: path, content } },
      { name: "write", input: { path, content } },
      { name: "write", input: { filePath: path, content } },
      { name: "write_file", input: { file_path: path, content } },
      { name: "editor", input: { path, new_text: content } },
      ...patches([`*** Add File: ${path}`, ...lines(content, "+")].join("\n")),
    ];
  },

  /** edit: { path: notes.txt, old: …, new: … } */
  edit: (argument) => {
    const [path, before, after] = texts(argument, ["path", "old", "new"], "an edit");
    return [
      { name: "Edit", input: { file_path: path, old_string: before, new_string: after } },
      { name: "edit", input: { path, edits: [{ oldText: before, newText: after }] } },
      { name: "edit", input: { path, before, after } },
      { name: "edit", input: { filePath: path, oldString: before, newString: after } },
      { name: "replace", input: { file_path: path, instruction: "Change it", old_string: before, new_string: after } },
      { name: "editor", input: { path, old_text: before, new_text: after } },
      ...patches([`*** Update File: ${path}`, "@@", ...lines(before, "-"), ...lines(after, "+")].join("\n")),
    ];
  },

  /** patch: the lines between its begin and end markers, for agents that offer apply_patch */
  patch: (argument) => patches(textOf(argument).trimEnd()),

  /** search: { query: needle, path: src } */
  search: (argument) => {
    const [query, path] = texts(argument, ["query", "path"], "a search");
    return [
      { name: "Grep", input: { pattern: query, path } },
      { name: "grep", input: { pattern: query, path } },
      { name: "grep_search", input: { pattern: query, dir_path: path } },
      { name: "search_codebase", input: { queries: [query] } },
      { name: "search", input: { pattern: query, path } },
      ...shell(`grep -rn ${shellLine([query, path])}`),
    ];
  },

  /** glob: { pattern: "*.js", path: src } */
  glob: (argument) => {
    const [pattern, path] = texts(argument, ["pattern", "path"], "a glob");
    return [
      { name: "Glob", input: { pattern, path } },
      { name: "glob", input: { pattern, path } },
      { name: "glob", input: { pattern, dir_path: path } },
      { name: "find", input: { pattern, path } },
      { name: "list", input: { pattern, path } },
      ...shell(`find ${shellLine([path])} -name ${shellLine([pattern])}`),
    ];
  },

  /** list: src */
  list: (argument) => {
    const path = textOf(argument);
    return [
      { name: "LS", input: { path } },
      { name: "ls", input: { path } },
      { name: "tree", input: { path, depth: 1 } },
      { name: "list_directory", input: { dir_path: path } },
      { name: "list", input: { path } },
      // OpenCode's and Kilo's read lists directories.
      { name: "read", input: { filePath: path } },
      ...shell(`ls ${shellLine([path])}`),
    ];
  },

  /** agent: "Count the lines. [[scenario/counter]]", or { prompt: …, background: true } */
  agent: (argument) => {
    if (typeof argument.value === "string") return agents(argument.value, false);
    const keys = keysOf(argument, ["prompt", "background"], "an agent");
    return agents(textOf(required(argument, keys, "prompt")), keys.get("background")?.value === true);
  },

  /** report: a subagent's report to its parent, for agents with a tool for that. For others the text is enough, and no call is made. */
  report: (argument) => [{ name: "complete_task", input: { result: { response: textOf(argument) } }, isOptional: true }],

  /** skill: greeting. If an agent has no tool for skills, the model reads the file that describes it. */
  skill: (argument) => {
    const name = textOf(argument);
    return [
      { name: "Skill", input: { skill: name } },
      { name: "skill", input: { name } },
      { name: "load_skill", input: { name } },
      { name: "activate_skill", input: { name } },
      { name: "skills", input: { skill: name } },
      ...reads(`.agents/skills/${name}/SKILL.md`),
    ];
  },

  /** todo: [the current step, the next one] */
  todo: (argument) => {
    const steps = itemsOf(argument, "steps").map((step, index) => ({
      step: textOf(step),
      status: index === 0 ? "in_progress" : "pending",
    }));
    const todos = steps.map(({ step, status }) => ({ content: step, status }));
    return [
      { name: "TodoWrite", input: { todos: todos.map((todo) => ({ ...todo, activeForm: todo.content })) } },
      { name: "todowrite", input: { todos: todos.map((todo) => ({ ...todo, priority: "high" })) } },
      { name: "write_todos", input: { todos: steps.map(({ step, status }) => ({ description: step, status })) } },
      { name: "update_plan", input: { plan: steps } },
      { name: "todo__todo_write", input: { content: steps.map(({ step }) => `- [ ] ${step}`).join("\n") } },
    ];
  },

  /** fetch: http://… */
  fetch: (argument) => {
    const url = textOf(argument);
    const prompt = "What does it say?";
    return [
      { name: "WebFetch", input: { url, prompt } },
      { name: "webfetch", input: { url, format: "text" } },
      { name: "fetch_web_content", input: { requests: [{ url, prompt }] } },
      { name: "web_fetch", input: { prompt: `${prompt} ${url}` } },
    ];
  },

  /** mcp: { server: demo, tool: echo, input: { text: hi } } */
  mcp: (argument) => {
    const keys = keysOf(argument, ["server", "tool", "input"], "a call of an MCP tool");
    const [server, tool] = [textOf(required(argument, keys, "server")), textOf(required(argument, keys, "tool"))];
    const input = (keys.get("input")?.value ?? {}) as object;
    const names = [`mcp__${server}__${tool}`, `${server}__${tool}`, `mcp_${server}_${tool}`, `${server}_${tool}`, tool];
    return names.map((name) => ({ name, input }));
  },
};

function shell(command: string, timeoutMs?: number): readonly Call[] {
  const limit = (key: string, unit: number) => (timeoutMs === undefined ? {} : { [key]: Math.ceil(timeoutMs / unit) });
  return [
    { name: "Bash", input: { command, description: "Run a command", ...limit("timeout", 1) } },
    { name: "exec_command", input: { cmd: command, ...limit("yield_time_ms", 1) } },
    // Milliseconds in OpenCode and Kilo, seconds in Pi.
    { name: "bash", input: { command, ...limit("timeout", 1) }, alsoNeeds: ["workdir"] },
    { name: "bash", input: { command, ...limit("timeout", 1000) } },
    { name: "shell", input: { command, ...limit("timeout_secs", 1000) } },
    { name: "run_shell_command", input: { command } },
    { name: "run_commands", input: { commands: [command] } },
  ];
}

/** A whole file, or a range of its lines. */
function reads(path: string, lines?: { readonly from: number; readonly to: number }): readonly Call[] {
  const counted = lines === undefined ? {} : { offset: lines.from, limit: lines.to - lines.from + 1 };
  const bounded = lines === undefined ? {} : { start_line: lines.from, end_line: lines.to };
  return [
    { name: "Read", input: { file_path: path, ...counted } },
    { name: "read", input: { path, ...counted } },
    { name: "read", input: { filePath: path, ...counted } },
    { name: "read_file", input: { file_path: path, ...bounded } },
    { name: "read_files", input: { files: [{ path, ...bounded }] } },
    ...shell(lines === undefined ? `cat ${shellLine([path])}` : `sed -n '${lines.from},${lines.to}p' ${shellLine([path])}`),
  ];
}

function agents(prompt: string, isBackground: boolean): readonly Call[] {
  const description = "Do a part of it";
  const background = isBackground ? { background: true } : {};
  return [
    { name: "Agent", input: { description, prompt, subagent_type: "general-purpose", run_in_background: isBackground } },
    { name: "spawn_agent", input: { task_name: "part", message: prompt, fork_turns: "none" } },
    { name: "spawn_agent", input: { message: prompt } },
    { name: "spawn_agent", input: { systemPrompt: "You do a part of it.", task: prompt } },
    { name: "task", input: { description, prompt, subagent_type: "general", ...background } },
    { name: "delegate", input: { instructions: prompt, ...(isBackground ? { async: true } : {}) } },
    { name: "invoke_agent", input: { agent_name: "generalist", prompt } },
  ];
}

/** The patch itself for a freeform tool (Codex); under a key for the others (OpenCode and Kilo, Cline). */
function patches(body: string): readonly Call[] {
  const patch = `*** Begin Patch\n${body}\n*** End Patch`;
  return [
    { name: "apply_patch", input: patch },
    { name: "apply_patch", input: { patchText: patch } },
    { name: "apply_patch", input: { input: patch } },
  ];
}

function texts<const Keys extends readonly string[]>(argument: Field, keys: Keys, what: string): { [Index in keyof Keys]: string } {
  const found = keysOf(argument, keys, what);
  return keys.map((key) => textOf(required(argument, found, key))) as { [Index in keyof Keys]: string };
}

function lines(text: string, mark: string): readonly string[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${mark}${line}`);
}
