// OpenCode's and Kilo's tool calls: request and result are in one line, printed when the call has ended.

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
import type { Operation } from "../../events/index.ts";
import type { RunContext, Translated } from "../../pipeline/index.ts";
import { classifier, placedClassifier } from "../../shell/index.ts";
import { patchedFiles } from "../patched-files.ts";
import { commandInput, listInput, readInput, searchInput, skillInput, writeInput } from "../tool-input.ts";
import { planOf } from "./fields.ts";

/** A call, read from the fields that different versions use. */
interface Call {
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly metadata: JsonObject;
  readonly status: string | undefined;
  /** The output that the model got. */
  readonly output: string | undefined;
}

type Reader = (call: Call, cwd: string | undefined) => readonly Operation[];

/** What a tool does. `orchestration`: it starts or ends a subagent, if it names one. */
export type Tool = Reader | "command" | "orchestration";

/** What the caller needs to know about a call, in addition to its events. */
export interface CallInfo {
  /** The agent stopped here: a permission was denied because no one could be asked. */
  readonly stops: boolean;
  /** The agent continues after this step, whatever reason the step gives for its end. */
  readonly continues: boolean;
  /** It started a background subagent. */
  readonly background: boolean;
}

// ── readers ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Reading a directory is a listing. The result has the absolute path and the lines really read. */
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

/** The result lists the files; a failed patch has only its markers. A moved file counts as written at both paths. */
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

/** Only a search for a name is a search; the other operations ask about a place in a file. */
export const lspTool: Reader = ({ input }) => {
  const query = firstWord(input, ["query", "symbol", "symbolName"]);
  return query === undefined ? nothing : [{ kind: "search", query }];
};

/** The result names the skill's directory, unless the skill was not found. */
export const skillTool: Reader = ({ input, metadata }, cwd) => {
  const directory = wordOf(metadata["dir"]);
  const skillName = firstWord(input, ["name", "skill"]) ?? wordOf(metadata["name"]);
  return directory === undefined ? skillInput(input, cwd) : [{ kind: "skill", path: `${resolvePath(directory, cwd)}/SKILL.md`, skillName }];
};

// ── calls ───────────────────────────────────────────────────────────────────────────────────────────────────────────

export function opencodeCalls(run: RunContext, tools: ReadonlyMap<string, Tool>) {
  const classify = classifier();
  const classifyIn = placedClassifier();
  const running = new Set<string>(); // background subagents; nothing reports their end

  /** Undefined for a line that names no tool. */
  function use(out: Translated[], line: JsonObject, part: JsonObject, parent: string | undefined): CallInfo | undefined {
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
    return { stops: refused && REJECTED.test(output), continues: continues(call, part), background };
  }

  function operationsOf(call: Call, kind: Tool | undefined): readonly Operation[] {
    if (kind === undefined || kind === "orchestration") return nothing;
    return kind === "command" ? command(call) : kind(call, run.cwd);
  }

  /** `workdir` is the command's directory, if it is not the workspace. */
  function command({ input }: Call): readonly Operation[] {
    const text = commandInput(input);
    if (text === undefined) return nothing;
    const workdir = firstWord(input, ["workdir", "cwd"]);
    if (workdir === undefined) return classify(text, run.cwd).operations;
    return classifyIn(text, resolvePath(workdir, run.cwd)).operations;
  }

  /** One line at the end of a subagent; nothing reports its start. In the background the line reports the start, and nothing the end. */
  function orchestration(out: Translated[], call: Call, success: boolean | undefined, parent: string | undefined): void {
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
 * A command that exits with 3 is `completed` too, so the exit code decides; `null` means a timeout. `invalid`, OpenCode's name
 * for an unreadable call, is `completed` as well.
 */
function successOf({ tool, status, metadata }: Call, isCommand: boolean): boolean | undefined {
  if (status === undefined) return undefined;
  if (tool === "invalid" || BAD.has(status)) return false;
  if (!GOOD.has(status)) return undefined;
  const exit = metadata["exit"];
  return !isCommand || exit === undefined || exit === 0;
}

/** The CLI reports the failure itself; a command may also fail by its exit code. */
function hasFailed({ status }: Call): boolean {
  return status !== undefined && BAD.has(status);
}

/** A task that only started is `completed` as well. */
function isBackground(call: Call): boolean {
  if (hasFailed(call)) return false;
  return call.metadata["background"] === true || /^<task id="[^"]*" state="running">/.test(call.output ?? "");
}

/** Denied by a rule, or because no one could be asked. For a subagent it appears as the subagent's failure. */
const REFUSAL = /^(?:Subagent failed \(task_id: \S+\): )?The user (?:rejected permission|has specified a rule which prevents)/;

/** A rule only denies the call, and a subagent's denial ends only the subagent. This one ends the run. */
const REJECTED = /^The user rejected permission/;

/** A tool that the provider ran, or that was cut off, leaves nothing to answer. */
function continues({ metadata }: Call, part: JsonObject): boolean {
  return metadata["interrupted"] !== true && objectOf(part["metadata"])?.["providerExecuted"] !== true;
}

const ID = ["sessionId", "session_id", "agentId", "agent_id", "id"];
const NAME = ["subagent_type", "name", "agent", "subagent", "agentType"];

/** Kilo's agent manager can also list, prompt and stop sessions; that starts none. */
const SPAWNS_NONE = new Set<unknown>(["list", "prompt", "stop", "move", "answer"]);

/** The error names a failed subagent; the request names a resumed one. */
function subagentOf({ input, metadata, output }: Call): string | undefined {
  if (SPAWNS_NONE.has(input["action"])) return undefined;
  const named = /\btask_id(?:: |=")(ses_\w+)/.exec(output?.slice(0, 4096) ?? "")?.[1];
  return firstWord(metadata, ID) ?? named ?? firstWord(input, ["task_id", ...ID]);
}

/** Tools with file text in their input, and its fields. A repeated request leaves them out. */
const PAYLOAD = new Set(["write", "edit", "apply_patch", "multiedit", "patch", "invalid"]);
/** `value` and `error` hold unreadable arguments. */
const PAYLOAD_FIELDS = ["content", "oldString", "newString", "edits", "patchText", "patch", "diff", "input", "value", "error"];

/** The request without its result. */
function requestOf({ callId, tool, status, input }: Call): unknown {
  const asked = PAYLOAD.has(tool) ? without(input, PAYLOAD_FIELDS) : input;
  return { type: "tool_use", part: { type: "tool", tool, callID: callId, state: { status, input: asked } } };
}
