// What a tool call of the Agent Client Protocol does, by its name if we know it, otherwise by its kind.
import { arrayOf, firstWord, type JsonObject, nothing, objectOf, resolvePath, shellLine, stringOf, wordOf } from "../../base/index.ts";
import type { Operation } from "../../events/index.ts";
import type { classify } from "../../shell/index.ts";
import { lspTool, patchTool, readTool, writeTool } from "../opencode/index.ts";
import { commandInput, type InputReader, listInput, readInput, searchInput, skillInput, writeInput } from "../tool-input.ts";

export interface Place {
  readonly path: string;
  readonly line: number | undefined;
}

/** The request, and after the end what the result adds. */
interface Facts {
  readonly callId: string;
  /** The short name; empty if the agent sends none. */
  readonly tool: string;
  readonly kind: string | undefined;
  readonly title: string | undefined;
  /** Empty if the agent does not send it. Then only title, places and diffs are known. */
  readonly input: JsonObject;
  readonly locations: readonly Place[];
  readonly written: readonly string[];
  /** Text next to the request. Gemini writes a command's directory there. */
  readonly explanation: string | undefined;
  /** OpenCode's and Kilo's report of the result. */
  readonly metadata: JsonObject;
  readonly output: string | undefined;
}

export interface Effect {
  readonly operations: readonly Operation[];
  /** The shell's directory afterwards, for agents that keep one shell. Absent: unchanged. */
  readonly directory?: string | null;
}

type Reader = (facts: Facts, cwd: string | undefined) => readonly Operation[];

// ── readers ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const read: Reader = (facts, cwd) => {
  const asked = readTool(asOpencode(facts), cwd);
  const reads = asked.length > 0 ? asked : facts.locations.map((place) => readOf(place, cwd));
  const [, first, last] = facts.tool === "read_file" ? (/^Read lines (\d+)-(\d+) of \d+ from /.exec(facts.output ?? "") ?? []) : [];
  if (first === undefined) return reads;
  return reads.map((each) => (each.kind === "read" ? { ...each, startLine: Number(first), endLine: Number(last) } : each));
};

function readOf({ path, line }: Place, cwd: string | undefined): Operation {
  const resolved = resolvePath(path, cwd);
  return line === undefined || line < 1 ? { kind: "read", path: resolved } : { kind: "read", path: resolved, startLine: line };
}

const write: Reader = (facts, cwd) => {
  const asked = writeTool(asOpencode(facts), cwd);
  return asked.length > 0 ? asked : writes(facts, cwd);
};

const patch: Reader = (facts, cwd) => {
  const asked = patchTool(asOpencode(facts), cwd);
  return asked.length > 0 ? asked : writes(facts, cwd);
};

/** Each file once, though every hunk's diff names it. The older codex-acp sends `changes`. */
function writes({ input, written, locations }: Facts, cwd: string | undefined): readonly Operation[] {
  const changes = objectOf(input["changes"]) ?? {};
  const changed = Object.keys(changes).flatMap((path) => {
    const moved = wordOf(objectOf(changes[path])?.["move_path"]);
    return moved === undefined ? [path] : [path, moved];
  });
  const named = changed.length > 0 ? changed : written.length > 0 ? written : locations.map(({ path }) => path);
  return [...new Set(named.map((path) => resolvePath(path, cwd)))].map((path) => ({ kind: "write", path }));
}

/** Gemini's title is `'pattern' in *.js within ./src`. It shortens a long path in the middle. */
const search: Reader = (facts, cwd) => {
  const asked = searchInput(facts.input, cwd);
  if (asked.length > 0) return asked;
  const [, query, scope] = GEMINI_SEARCH.exec(facts.title ?? "") ?? [];
  if (query === undefined) return nothing;
  return [scope === undefined || scope.includes("...") ? { kind: "search", query } : { kind: "search", query, path: pathOf(scope, cwd) }];
};

const GEMINI_SEARCH = /^'([\s\S]+)'(?: in [^']+?)?(?: within ([^']+)| across all workspace directories)?$/;

/** Gemini's title is the directory. */
const list: Reader = ({ tool, input, title, locations }, cwd) => {
  if (Object.keys(input).length > 0) return listInput(input, cwd);
  const named = tool === "list_directory" && title !== "" && !title?.includes("...") ? title : undefined;
  const path = locations[0]?.path ?? named;
  return path === undefined ? [{ kind: "list" }] : [{ kind: "list", path: pathOf(path, cwd) }];
};

function pathOf(path: string, cwd: string | undefined): string {
  return resolvePath(path === "./" ? "." : path, cwd);
}

/** The result may contain the skill's directory. Gemini's request is only a title: `"name": description`. */
const skill: Reader = ({ input, title, metadata, output }, cwd) => {
  const name = /^"([^"]+)"/.exec(title ?? "")?.[1];
  const asked = skillInput(name === undefined || Object.keys(input).length > 0 ? input : { name }, cwd);
  const found = /Resources loaded from `([^`\n]+)`|^Skill directory: (.+)$/m.exec(output ?? "");
  const directory = wordOf(metadata["dir"]) ?? found?.[1] ?? found?.[2];
  if (directory === undefined) return asked;
  return asked.map((each) => (each.kind === "skill" ? { ...each, path: `${resolvePath(directory, cwd)}/SKILL.md` } : each));
};

/** `view` and `read` read; every other command writes. */
const editor: Reader = (facts, cwd) => {
  const command = stringOf(facts.input["command"]);
  if (command === undefined) return nothing;
  return command === "view" || command === "read" ? readInput(facts.input, cwd) : writeInput(facts.input, cwd);
};

const from =
  (reader: InputReader): Reader =>
  (facts, cwd) =>
    reader(facts.input, cwd);

// ── tool table ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** By lower-case name. Agents that share a tool name mean the same tool. `null`: no operation, whatever its kind. */
const tools = new Map<string, Reader | "command" | null>([
  ["read", read],
  ["read_file", read],
  ["view_image", read],
  ["read_image", (facts, cwd) => (/^[a-z]+:\/\//i.test(stringOf(facts.input["source"]) ?? "") ? nothing : read(facts, cwd))],
  ["notebookread", read],
  ["read_many_files", ({ locations }, cwd) => locations.map((place) => readOf(place, cwd))],
  ["write", write],
  ["write_file", write],
  ["edit", write],
  ["multiedit", write],
  ["notebookedit", write],
  ["replace", write],
  ["apply_patch", patch],
  ["text_editor", editor],
  ["grep", search],
  ["glob", search],
  ["grep_search", search],
  ["search_file_content", search],
  ["codesearch", search],
  ["lsp", (facts, cwd) => lspTool(asOpencode(facts), cwd)],
  ["list", list],
  ["ls", list],
  ["list_directory", list],
  ["tree", from(listInput)],
  ["skill", skill],
  ["load_skill", skill],
  ["activate_skill", skill],
  ["bash", "command"],
  ["shell", "command"],
  ["run_shell_command", "command"],
  ["google_web_search", null],
  ["web_search", null],
  ["websearch", null],
  ["save_memory", null],
]);

/** The result of Gemini's shell does not say whether the command succeeded. */
export const GEMINI_SHELL = "run_shell_command";

/**
 * The older Claude adapter calls its `Read` `mcp__acp__Read`; Goose calls its `shell` `developer__shell`. Other prefixes name MCP
 * servers.
 */
export function shortName(tool: string): string {
  return tool.replace(/^(mcp__acp__|developer__)/, "").toLowerCase();
}

/** Tools that start a subagent, in Claude Code, OpenCode, Kilo, Goose and Gemini. */
const AGENT_TOOLS = new Set([
  "agent",
  "task",
  "delegate",
  "invoke_agent",
  "codebase_investigator",
  "generalist",
  "cli_help",
  "browser_agent",
]);

export function isAgentTool(tool: string): boolean {
  return AGENT_TOOLS.has(tool);
}

/** `classify` for commands in the workspace, `classifyIn` for commands in a directory that the call names. */
export interface Shell {
  readonly classify: typeof classify;
  readonly classifyIn: typeof classify;
}

export function effectOf(facts: Facts, cwd: string | undefined, shell: Shell): Effect {
  const { tool, kind, input } = facts;
  if (isMcp(facts)) return { operations: nothing };
  const known = tools.get(tool);
  if (known === "command" || (known === undefined && (kind === "execute" || Array.isArray(input["command"])))) {
    return commandOf(facts, cwd, shell);
  }
  if (known === undefined) return { operations: byKind(facts, cwd) };
  return { operations: known === null ? nothing : known(facts, cwd) };
}

/** Only the server knows what an MCP tool does, whatever its name. */
function isMcp({ tool, title, input }: Facts): boolean {
  if ((tool.startsWith("mcp") && /^mcp(__(?!acp__)|\.)/.test(tool)) || title?.startsWith("mcp.")) return true;
  return wordOf(input["server"]) !== undefined && wordOf(input["tool"]) !== undefined;
}

const WORKING_DIRECTORY = ["workdir", "cwd", "working_directory", "dir_path"];

/** `execute` does not make the title a command: only Gemini's title is one. */
function commandOf(facts: Facts, cwd: string | undefined, shell: Shell): Effect {
  const { tool, input, title, explanation } = facts;
  const text = commandText(input) ?? (tool === GEMINI_SHELL && title !== undefined && title !== "" ? title : undefined);
  if (text === undefined) return { operations: nothing };
  const given = firstWord(input, WORKING_DIRECTORY) ?? placeIn(tool, explanation);
  const place = given === undefined ? cwd : resolvePath(given, cwd);
  return (given === undefined ? shell.classify : shell.classifyIn)(text, place);
}

/** The older codex-acp sends a list of arguments: `["/bin/bash", "-lc", "ls src"]`. */
function commandText(input: JsonObject): string | undefined {
  const given = arrayOf(input["command"]);
  if (given === undefined) return commandInput(input);
  const all = given.filter((each) => typeof each === "string");
  if (all.length === 0 || all.length < given.length) return undefined;
  const [program = "", flag = "", script] = all;
  if (all.length === 3 && script !== undefined && /(^|\/)(ba|z|da)?sh$/.test(program) && /^-l?c$/.test(flag)) return script;
  return shellLine(all);
}

/** "[in src] (description)", "[current working directory /workspace] (description)" */
function placeIn(tool: string, explanation: string | undefined): string | undefined {
  if (tool !== GEMINI_SHELL || explanation === undefined) return undefined;
  return /^\[(?:in|current working directory) (.+?)\](?= \(| \[|$)/.exec(explanation)?.[1];
}

/** Gemini names the workspace when it runs a command in it. */
export function workspaceIn({ tool, explanation }: Facts): string | undefined {
  return explanation?.startsWith("[current working directory /") ? placeIn(tool, explanation) : undefined;
}

// ── by kind ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function byKind(facts: Facts, cwd: string | undefined): readonly Operation[] {
  switch (facts.kind) {
    case "read":
      return listing(facts, cwd) ?? read(facts, cwd);
    case "edit":
    case "delete":
    case "move": {
      const written = writes(facts, cwd);
      return written.length > 0 ? written : writeInput(facts.input, cwd);
    }
    case "search":
      return searching(facts, cwd);
    default:
      return nothing; // execute is a command or nothing; think, fetch, switch_mode and other touch no file
  }
}

/** codex-acp reports a listing as a read. For reads, searches and listings it sends only a title. */
function listing({ title }: Facts, cwd: string | undefined): readonly Operation[] | undefined {
  const [whole, path] = /^List files(?: in '(.+)')?$/.exec(title ?? "") ?? [];
  if (whole === undefined) return undefined;
  return [path === undefined ? { kind: "list" } : { kind: "list", path: resolvePath(path, cwd) }];
}

/** Without a title or a path, a search may be one on the web or in someone's documents. */
function searching({ title, input }: Facts, cwd: string | undefined): readonly Operation[] {
  const [, query, path] = /^Search for '([\s\S]+)' in (.+)$/.exec(title ?? "") ?? /^Search for '([\s\S]+)'$/.exec(title ?? "") ?? [];
  if (query !== undefined) {
    const found = { kind: "search" as const, query, emptyExit: 1 };
    return [path === undefined ? found : { ...found, path: resolvePath(path, cwd) }];
  }
  const inFiles = firstWord(input, ["pattern", "regex", "glob"]) ?? firstWord(input, ["path", "dir", "directory"]);
  return inFiles === undefined || input["url"] !== undefined ? nothing : searchInput(input, cwd);
}

/** The same fields as opencode/calls.ts has them; its readers also use the result. */
function asOpencode({ callId, tool, input, metadata, output }: Facts) {
  return { callId, tool, input, metadata, status: undefined, output };
}
