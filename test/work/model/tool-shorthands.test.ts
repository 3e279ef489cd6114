import { describe, expect, test } from "vitest";
import { dialects, type Json, post, serve } from "./support.ts";

/** Each agent's tools with the relevant parameters, as in its requests (the versions of src/work/conformance/agents). */
const offers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claude: {
    Agent: "description prompt subagent_type run_in_background",
    Bash: "command timeout description run_in_background",
    Edit: "file_path old_string new_string",
    Read: "file_path offset limit",
    Skill: "skill args",
    Write: "file_path content",
  },
  pi: { read: "path offset limit", bash: "command timeout", edit: "path edits", write: "path content" },
  goose: {
    delegate: "instructions source async",
    edit: "path before after",
    load_skill: "name args",
    shell: "command timeout_secs",
    todo__todo_write: "content",
    tree: "path depth",
    write: "path content",
  },
  opencode: {
    bash: "command timeout workdir",
    edit: "filePath oldString newString replaceAll",
    glob: "pattern path",
    grep: "pattern path include",
    read: "filePath offset limit",
    skill: "name",
    task: "description prompt subagent_type task_id command",
    todowrite: "todos",
    webfetch: "url format timeout",
    write: "content filePath",
  },
  "opencode, gpt": { apply_patch: "patchText", bash: "command timeout workdir" },
  cline: {
    read_files: "files",
    search_codebase: "queries",
    run_commands: "commands",
    fetch_web_content: "requests",
    editor: "path old_text new_text insert_line",
    spawn_agent: "systemPrompt task",
  },
  gemini: {
    list_directory: "dir_path ignore",
    read_file: "file_path start_line end_line",
    grep_search: "pattern dir_path",
    glob: "pattern dir_path",
    replace: "file_path instruction old_string new_string",
    write_file: "file_path content",
    web_fetch: "prompt",
    run_shell_command: "command description dir_path",
    write_todos: "todos",
    invoke_agent: "agent_name prompt",
    activate_skill: "name",
  },
};

type Row = readonly [word: string, agent: string, name: string, input: Json];

const rows: readonly Row[] = [
  ["run: ls", "claude", "Bash", { command: "ls", description: "Run a command" }],
  ["run: ls", "pi", "bash", { command: "ls" }],
  ["run: ls", "goose", "shell", { command: "ls" }],
  ["run: ls", "cline", "run_commands", { commands: ["ls"] }],
  ["run: ls", "gemini", "run_shell_command", { command: "ls" }],
  ["run: { command: ls, timeout: 2s }", "claude", "Bash", { command: "ls", description: "Run a command", timeout: 2000 }],
  ["run: { command: ls, timeout: 2s }", "opencode", "bash", { command: "ls", timeout: 2000 }],
  ["run: { command: ls, timeout: 2s }", "pi", "bash", { command: "ls", timeout: 2 }],
  ["run: { command: ls, timeout: 2s }", "goose", "shell", { command: "ls", timeout_secs: 2 }],
  ["read: a b", "goose", "shell", { command: "cat 'a b'" }],
  ["read: { path: a, from: 2, to: 4 }", "claude", "Read", { file_path: "a", offset: 2, limit: 3 }],
  ["read: { path: a, from: 2, to: 4 }", "pi", "read", { path: "a", offset: 2, limit: 3 }],
  ["read: { path: a, from: 2, to: 4 }", "opencode", "read", { filePath: "a", offset: 2, limit: 3 }],
  ["read: { path: a, from: 2, to: 4 }", "cline", "read_files", { files: [{ path: "a", start_line: 2, end_line: 4 }] }],
  ["read: { path: a, from: 2, to: 4 }", "gemini", "read_file", { file_path: "a", start_line: 2, end_line: 4 }],
  ["read: { path: a, from: 2, to: 4 }", "goose", "shell", { command: "sed -n '2,4p' a" }],
  ["write: { path: a, content: x }", "pi", "write", { path: "a", content: "x" }],
  ["write: { path: a, content: x }", "opencode", "write", { filePath: "a", content: "x" }],
  ["write: { path: a, content: x }", "cline", "editor", { path: "a", new_text: "x" }],
  ["write: { path: a, content: x }", "gemini", "write_file", { file_path: "a", content: "x" }],
  ["write: { path: a, content: x }", "opencode, gpt", "apply_patch", { patchText: "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch" }],
  ["edit: { path: a, old: x, new: y }", "pi", "edit", { path: "a", edits: [{ oldText: "x", newText: "y" }] }],
  ["edit: { path: a, old: x, new: y }", "goose", "edit", { path: "a", before: "x", after: "y" }],
  ["edit: { path: a, old: x, new: y }", "opencode", "edit", { filePath: "a", oldString: "x", newString: "y" }],
  ["edit: { path: a, old: x, new: y }", "cline", "editor", { path: "a", old_text: "x", new_text: "y" }],
  [
    "edit: { path: a, old: x, new: y }",
    "gemini",
    "replace",
    { file_path: "a", instruction: "Change it", old_string: "x", new_string: "y" },
  ],
  ["search: { query: x, path: src }", "opencode", "grep", { pattern: "x", path: "src" }],
  ["search: { query: x, path: src }", "cline", "search_codebase", { queries: ["x"] }],
  ["search: { query: x, path: src }", "gemini", "grep_search", { pattern: "x", dir_path: "src" }],
  ["search: { query: x, path: src }", "pi", "bash", { command: "grep -rn x src" }],
  ["glob: { pattern: '*.js', path: src }", "gemini", "glob", { pattern: "*.js", dir_path: "src" }],
  ["glob: { pattern: '*.js', path: src }", "goose", "shell", { command: "find src -name '*.js'" }],
  ["list: src", "goose", "tree", { path: "src", depth: 1 }],
  ["list: src", "opencode", "read", { filePath: "src" }],
  ["list: src", "pi", "bash", { command: "ls src" }],
  ["agent: Go.", "goose", "delegate", { instructions: "Go." }],
  ["agent: { prompt: Go., background: true }", "goose", "delegate", { instructions: "Go.", async: true }],
  ["agent: Go.", "opencode", "task", { description: "Do a part of it", prompt: "Go.", subagent_type: "general" }],
  ["agent: Go.", "cline", "spawn_agent", { systemPrompt: "You do a part of it.", task: "Go." }],
  ["agent: Go.", "gemini", "invoke_agent", { agent_name: "generalist", prompt: "Go." }],
  ["skill: hi", "claude", "Skill", { skill: "hi" }],
  ["skill: hi", "opencode", "skill", { name: "hi" }],
  ["skill: hi", "pi", "read", { path: ".agents/skills/hi/SKILL.md" }],
  ["todo: [One, Two]", "goose", "todo__todo_write", { content: "- [ ] One\n- [ ] Two" }],
  [
    "todo: [One, Two]",
    "gemini",
    "write_todos",
    {
      todos: [
        { description: "One", status: "in_progress" },
        { description: "Two", status: "pending" },
      ],
    },
  ],
  ["fetch: http://x/", "opencode", "webfetch", { url: "http://x/", format: "text" }],
  ["fetch: http://x/", "gemini", "web_fetch", { prompt: "What does it say? http://x/" }],
];

describe("one shorthand, many agents", () => {
  test.each(rows)("%s for %s is %s", async (shorthand, agent, name, input) => {
    const server = await serve([`turns: [{ tools: [{ ${shorthand} }] }]`]);
    const tools = Object.entries(offers[agent] ?? {}).map(([tool, parameters]) => ({
      type: "function",
      function: { name: tool, parameters: { properties: Object.fromEntries(parameters.split(" ").map((key) => [key, {}])) } },
    }));
    const { text } = await post(server, dialects.chat.path, { ...dialects.chat.body(["go"], { stream: false }), tools });
    expect(callsIn(text)).toEqual([{ name, input }]);
  });

  test("an MCP tool has the name that the agent gives it", async () => {
    const server = await serve(["turns: [{ tools: [{ mcp: { server: demo, tool: echo, input: { text: hi } } }] }]"]);
    for (const name of ["mcp__demo__echo", "demo__echo", "mcp_demo_echo", "demo_echo", "echo"]) {
      const { text } = await post(server, dialects.chat.path, dialects.chat.body(["go"], { stream: false, tools: ["other", name] }));
      expect(callsIn(text)).toEqual([{ name, input: { text: "hi" } }]);
    }
  });

  test("prefers a tool with that name and different parameters to none", async () => {
    const server = await serve(["turns: [{ tools: [{ name: read, input: { nonsense: 1 } }, { run: ls }] }]"]);
    const tools = ["read", "bash"].map((name) => ({ type: "function", function: { name, parameters: { properties: { other: {} } } } }));
    const { text } = await post(server, dialects.chat.path, { ...dialects.chat.body(["go"], { stream: false }), tools });
    expect(callsIn(text)).toEqual([
      { name: "read", input: { nonsense: 1 } },
      { name: "bash", input: { command: "ls" } },
    ]);
  });

  test("a report is a call only if there is a tool for it", async () => {
    const server = await serve(["turns: [{ text: Done., tools: [{ report: All is well. }] }]"]);
    const ask = (tools: readonly string[]) => post(server, dialects.chat.path, dialects.chat.body(["go"], { stream: false, tools }));
    expect(callsIn((await ask(["complete_task"])).text)).toEqual([
      { name: "complete_task", input: { result: { response: "All is well." } } },
    ]);
    expect((await ask(["bash"])).text).not.toContain("tool_calls");
  });

  test("a scenario can name the model's own address", async () => {
    const server = await serve(['turns: [{ tools: [{ fetch: "{{model_url}}/" }] }]']);
    const { text } = await post(server, dialects.chat.path, dialects.chat.body(["go"], { stream: false, tools: ["webfetch"] }));
    expect(callsIn(text)).toEqual([{ name: "webfetch", input: { url: `${server.url}/`, format: "text" } }]);
  });
});

function callsIn(text: string): readonly { name: string; input: unknown }[] {
  type Whole = { choices: { message: { tool_calls: { function: { name: string; arguments: string } }[] } }[] };
  const calls = (JSON.parse(text) as Whole).choices[0]?.message.tool_calls ?? [];
  return calls.map((call) => ({ name: call.function.name, input: JSON.parse(call.function.arguments) as unknown }));
}
