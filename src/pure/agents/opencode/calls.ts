// OpenCode's and Kilo's tool calls: request and result in one line, printed when the call has ended. Part of opencode.ts.

import {
  arrayOf,
  firstWord,
  type JsonObject,
  nothing,
  numberOf,
  objectOf,
  resolvePath,
  stringOf,
  without,
  wordOf,
} from "../../base/index.ts";
import type { EventBody, Operation } from "../../events/index.ts";
import type { RunContext } from "../../pipeline/index.ts";
import { classifier, placedClassifier } from "../../shell/index.ts";
import { patchedFiles } from "../patched-files.ts";
import { commandInput, listInput, readInput, searchInput, skillInput, writeInput } from "../tool-input.ts";
import { planOf } from "./fields.ts";

/** One call, read from the places where versions have kept its fields. */
interface Call {
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly metadata: JsonObject;
  readonly status: string | undefined;
  /** What came of it, as the model was told. */
  readonly output: string | undefined;
}

type Reader = (call: Call, cwd: string | undefined) => readonly Operation[];

/** What a tool does. `orchestration`: it is told as the start or the end of a subagent, where it names one. */
export type Tool = Reader | "command" | "orchestration";

/** What the caller has to know of a call beyond its events. */
export interface Told {
  /** The agent stopped here: a permission was refused, and nobody was there to be asked. */
  readonly stops: boolean;
  /** The agent goes on after this step, whatever reason the step gives for its end. */
  readonly goesOn: boolean;
  /** A subagent that was started and works on in the background. */
  readonly background: boolean;
}

// ── readers ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A directory can be read too, which is a listing. The result knows the absolute path, and how far the lines really went. */
export const readTool: Reader = ({ input, metadata }, cwd) => {
  const display = objectOf(metadata["display"]);
  const path = wordOf(display?.["path"]);
  if (display?.["type"] === "directory") return listInput({ path: path ?? input["filePath"] }, cwd);
  const asked = readInput(input, cwd, path);
  const [read] = asked;
  const [startLine, endLine] = [numberOf(display?.["lineStart"]), numberOf(display?.["lineEnd"])];
  if (read?.kind !== "read" || read.startLine === undefined || startLine === undefined || endLine === undefined) return asked;
  return [{ ...read, startLine, endLine }];
};

export const writeTool: Reader = ({ input, metadata }, cwd) => {
  const path = wordOf(metadata["filepath"]) ?? wordOf(objectOf(metadata["filediff"])?.["file"]);
  return writeInput(path === undefined ? input : { path }, cwd);
};

/** The result lists the files; a patch that failed has only its markers. A moved file is written in both places. */
export const patchTool: Reader = ({ input, metadata }, cwd) => {
  const files = (arrayOf(metadata["files"]) ?? []).flatMap((file) => {
    const { filePath, movePath } = objectOf(file) ?? {};
    return [wordOf(filePath), wordOf(movePath)].filter((path) => path !== undefined);
  });
  const patch = firstWord(input, ["patchText", "patch", "diff", "input", "content"]) ?? "";
  if (files.length === 0) return patchedFiles(patch, cwd);
  return files.map((path) => ({ kind: "write", path: resolvePath(path, cwd) }));
};

export const searchTool: Reader = ({ input }, cwd) => searchInput(input, cwd);

/** Only a search for a name is one; the other operations ask about a place in a file. */
export const lspTool: Reader = ({ input }) => {
  const query = firstWord(input, ["query", "symbol", "symbolName"]);
  return query === undefined ? nothing : [{ kind: "search", query }];
};

/** The result tells the skill's directory; of one that was not found nobody knows it. */
export const skillTool: Reader = ({ input, metadata }, cwd) => {
  const directory = wordOf(metadata["dir"]);
  const skillName = firstWord(input, ["name", "skill"]) ?? wordOf(metadata["name"]);
  return directory === undefined ? skillInput(input, cwd) : [{ kind: "skill", path: `${resolvePath(directory, cwd)}/SKILL.md`, skillName }];
};

// ── calls ───────────────────────────────────────────────────────────────────────────────────────────────────────────

export function opencodeCalls(run: RunContext, tools: ReadonlyMap<string, Tool>) {
  const classify = classifier();
  const classifyIn = placedClassifier();
  const running = new Set<string>(); // subagents in the background; how they end is never told

  /** Undefined for a line that names no tool. */
  function use(out: EventBody[], line: JsonObject, part: JsonObject, parent: string | undefined): Told | undefined {
    const call = callOf(line, part, run.here.record);
    if (call === undefined) return undefined;
    const { callId, tool, input, output } = call;
    const kind = tools.get(tool);
    const operations = operationsOf(call, kind);
    const request = operations.length === 0 ? requestOf(call) : undefined;
    out.push({ type: "tool-start", callId, tool, input, operations, request, parent });
    const background = kind === "orchestration" && isBackground(call);
    const success = background ? undefined : successOf(call, kind === "command");
    if (tool === "todowrite" && success !== false) out.push({ type: "plan", items: planOf(input), parent });
    if (kind === "orchestration") orchestration(out, call, success, parent);
    const refused = hasFailed(call) && output !== undefined && REFUSAL.test(output);
    if (refused) out.push({ type: "permission-decision", callId, tool, decision: "deny", reason: output, parent });
    const exitCode = kind === "command" ? numberOf(call.metadata["exit"]) : undefined;
    out.push({ type: "tool-end", callId, success, exitCode, output, parent });
    return { stops: refused && REJECTED.test(output), goesOn: goesOn(call, part), background };
  }

  function operationsOf(call: Call, kind: Tool | undefined): readonly Operation[] {
    if (kind === undefined || kind === "orchestration") return nothing;
    return kind === "command" ? command(call) : kind(call, run.cwd);
  }

  /** `workdir` is the directory the command ran in, where it is not the workspace. */
  function command({ input }: Call): readonly Operation[] {
    const text = commandInput(input);
    if (text === undefined) return nothing;
    const workdir = firstWord(input, ["workdir", "cwd"]);
    if (workdir === undefined) return classify(text, run.cwd).operations;
    return classifyIn(text, resolvePath(workdir, run.cwd)).operations;
  }

  /** One line, at the end: the start was never told. In the background the line tells the start, and the end never comes. */
  function orchestration(out: EventBody[], call: Call, success: boolean | undefined, parent: string | undefined): void {
    const subagentId = subagentOf(call);
    if (subagentId === undefined) return;
    const { callId, input } = call;
    const name = firstWord(input, NAME) ?? firstWord(call.metadata, NAME);
    if (success !== undefined) {
      running.delete(subagentId);
      out.push({ type: "subagent-end", subagentId, name, callId, success, parent });
    } else if (!running.has(subagentId)) {
      running.add(subagentId);
      out.push({ type: "subagent-start", subagentId, name, callId, description: wordOf(input["description"]), parent });
    }
  }

  return { use };
}

// ── fields of a call ────────────────────────────────────────────────────────────────────────────────────────────────

const TOOL = ["tool", "toolName", "name"];
const CALL_ID = ["callID", "callId", "call_id", "id"];

function callOf(line: JsonObject, part: JsonObject, record: number): Call | undefined {
  const tool = firstWord(part, TOOL) ?? firstWord(line, TOOL);
  if (tool === undefined) return undefined;
  const state = objectOf(part["state"]) ?? objectOf(line["state"]) ?? part;
  const callId = firstWord(part, CALL_ID) ?? firstWord(line, CALL_ID) ?? `line-${record}`;
  return {
    callId,
    tool,
    input: objectOf(state["input"]) ?? objectOf(part["input"]) ?? objectOf(line["input"]) ?? objectOf(line["arguments"]) ?? {},
    metadata: objectOf(state["metadata"]) ?? {},
    status: wordOf(state["status"]) ?? wordOf(line["status"]),
    output: stringOf(state["output"]) ?? stringOf(state["error"]),
  };
}

const GOOD = new Set(["completed", "success", "done", "ok"]);
const BAD = new Set(["error", "failed", "failure", "cancelled", "canceled"]);

/**
 * A command that exits with 3 is `completed` too: its exit code is the truth, and `null` stands for a timeout. So is
 * `invalid`, OpenCode's name for a call that could not be read.
 */
function successOf({ tool, status, metadata }: Call, isCommand: boolean): boolean | undefined {
  if (status === undefined) return undefined;
  if (tool === "invalid" || BAD.has(status)) return false;
  if (!GOOD.has(status)) return undefined;
  const exit = metadata["exit"];
  return !isCommand || exit === undefined || exit === 0;
}

/** The CLI itself says so; a command may also fail by its exit code. */
function hasFailed({ status }: Call): boolean {
  return status !== undefined && BAD.has(status);
}

/** A task that only began is `completed` as well. */
function isBackground(call: Call): boolean {
  if (hasFailed(call)) return false;
  return call.metadata["background"] === true || /^<task id="[^"]*" state="running">/.test(call.output ?? "");
}

/** By a rule, or because nobody was there to be asked; of a subagent it is told as the subagent's failure. */
const REFUSAL = /^(?:Subagent failed \(task_id: \S+\): )?The user (?:rejected permission|has specified a rule which prevents)/;

/** A rule only takes the call away, and a subagent's refusal only the subagent; this ends the run. */
const REJECTED = /^The user rejected permission/;

/** A tool that the provider ran, or that was cut off, leaves nothing to answer to. */
function goesOn({ metadata }: Call, part: JsonObject): boolean {
  return metadata["interrupted"] !== true && objectOf(part["metadata"])?.["providerExecuted"] !== true;
}

const ID = ["sessionId", "session_id", "agentId", "agent_id", "id"];
const NAME = ["subagent_type", "name", "agent", "subagent", "agentType"];

/** Kilo's agent manager also lists, prompts and stops sessions, which spawns none. */
const SPAWNS_NONE = new Set<unknown>(["list", "prompt", "stop", "move", "answer"]);

/** A subagent that failed is named in the error too; one that was asked to go on, in the request. */
function subagentOf({ input, metadata, output }: Call): string | undefined {
  if (SPAWNS_NONE.has(input["action"])) return undefined;
  const named = /\btask_id(?:: |=")(ses_\w+)/.exec(output?.slice(0, 4096) ?? "")?.[1];
  return firstWord(metadata, ID) ?? named ?? firstWord(input, ["task_id", ...ID]);
}

/** Tools whose input holds the text of a file, and where; what is repeated of a request leaves it out. */
const PAYLOAD = new Set(["write", "edit", "apply_patch", "multiedit", "patch", "invalid"]);
/** `value` and `error` hold arguments that could not be read. */
const PAYLOAD_FIELDS = ["content", "oldString", "newString", "edits", "patchText", "patch", "diff", "input", "value", "error"];

/** What was asked, without what came of it. */
function requestOf({ callId, tool, status, input }: Call): unknown {
  const asked = PAYLOAD.has(tool) ? without(input, PAYLOAD_FIELDS) : input;
  return { type: "tool_use", part: { type: "tool", tool, callID: callId, state: { status, input: asked } } };
}
