// OpenCode, seen in 1.18.33: `opencode run --format json`. Kilo prints the same lines. Evidence: docs/reference/agents/opencode.md.

import { firstWord, type JsonObject, nothing, objectOf, stringOf, without, wordOf } from "../../base/index.ts";
import type { RunStatus } from "../../events/index.ts";
import {
  type Agent,
  askedFor,
  type Command,
  consumed,
  type LineTranslator,
  type RunContext,
  type Task,
  type Translated,
} from "../../pipeline/index.ts";
import { opencodeServers } from "../mcp.ts";
import { opencodeProviders } from "../providers.ts";
import { lspTool, opencodeCalls, patchTool, readTool, searchTool, skillTool, type Tool, writeTool } from "./calls.ts";
import { failureOf, stderrLine, usageOf } from "./fields.ts";
import { opencodeVolatile } from "./volatile.ts";

// ── state ───────────────────────────────────────────────────────────────────────────────────────────────────────────

interface Claim {
  readonly outcome: RunStatus;
  readonly reason: string;
  /** Another claim should follow. */
  readonly pending?: true;
}

interface State {
  sessionId: string | undefined;
  /** The message whose step has started and not finished. */
  step: string | undefined;
  /** The last message with a tool call whose result the model has not seen yet. */
  called: string | undefined;
  /** This step called a tool. In versions that give no reason for the end of a step, this is the only sign that another step follows. */
  acted: boolean;
  /** The last part that ended a step. */
  finished: string | undefined;
  /** The last text part; the first versions printed it again at the end. */
  said: string | undefined;
  /** The outcome claimed so far, if nothing since contradicts it. */
  claim: Claim | undefined;
  /** The context overflowed: the next step is the summary, and its end is not the end of the run. */
  summarizes: boolean;
  /** Background subagents. Each gives the agent another turn when it ends. */
  background: number;
}

// ── invocation ──────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Only reading, listing and searching. User rules come first, and the last matching rule decides. These patterns are keys that no
 * one else uses, so they are not merged into the user's rules but follow them.
 */
export const READ_ONLY = '{"?*":"deny","rea?":"allow","glo?":"allow","gre?":"allow","lis?":"allow"}';

/**
 * The prompt goes to stdin: an argument could not start with a dash, is limited to 128 KiB, and gets quotes if it has a blank.
 * The working directory goes to `--dir`, because the CLI trusts an inherited `PWD` over its real directory.
 */
export function opencodeCommand(task: Task, prefix: "OPENCODE" | "KILO"): Command {
  const args = ["run", "--format", "json", "--thinking"];
  if (task.model !== undefined) args.push("--model", task.model);
  const isVariant = prefix === "OPENCODE"; // seen in 1.18.33
  if (task.effort !== undefined && isVariant) args.push("--variant", task.effort);
  if (task.cwd !== undefined) args.push("--dir", task.cwd);
  if (task.resume !== undefined) args.push("--session", task.resume);
  if (task.permissions === "full") args.push("--auto");
  const env: Record<string, string> = { [`${prefix}_DISABLE_AUTOUPDATE`]: "1" };
  if (task.permissions === "read-only") env[`${prefix}_PERMISSION`] = READ_ONLY;
  if (task.mcp !== undefined) Object.assign(env, opencodeServers(task.mcp, prefix));
  const unable = ["maxTurns", "maxBudgetUsd", "systemPrompt", "appendSystemPrompt", "allow", "deny", "commandLine"] as const;
  const ignored = askedFor(task, ...unable, ...(isVariant ? [] : (["effort"] as const)));
  return { args: [...args, ...(task.extraArgs ?? [])], stdin: task.prompt, env, resumes: true, ignored };
}

// ── tool table ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Others (webfetch, websearch, todowrite, question, MCP …) have no operation. */
export const opencodeTools: readonly (readonly [string, Tool])[] = [
  ["read", readTool],
  ["write", writeTool],
  ["edit", writeTool],
  ["apply_patch", patchTool],
  ["grep", searchTool],
  ["glob", searchTool],
  ["bash", "command"],
  ["skill", skillTool],
  ["lsp", lspTool],
  ["task", "orchestration"],
];

const tools = new Map(opencodeTools);

export const opencodeWithheld: Agent["withheld"] = [
  { says: /^(Error: )?Model tried to call unavailable tool /, tools: ["write", "edit", "apply_patch", "bash"] },
];

// ── translation ─────────────────────────────────────────────────────────────────────────────────────────────────────

export function openOpencode(run: RunContext, tools: ReadonlyMap<string, Tool>): LineTranslator {
  const calls = opencodeCalls(run, tools);
  const state: State = {
    sessionId: undefined,
    step: undefined,
    called: undefined,
    acted: false,
    finished: undefined,
    said: undefined,
    claim: undefined,
    summarizes: false,
    background: 0,
  };

  function push(line: JsonObject): readonly Translated[] {
    const out: Translated[] = [];
    const part = objectOf(line["part"]) ?? line;
    if (state.sessionId === undefined) session(out, line, part);
    if (!translate(out, line, part)) out.push({ type: "unknown", raw: withoutContents(line, part) });
    return out.length === 0 ? consumed : out;
  }

  /** Returns false for a line it cannot read. */
  function translate(out: Translated[], line: JsonObject, part: JsonObject): boolean {
    switch (line["type"]) {
      case "step_start":
        return stepStart(out, part);
      case "step_finish":
        return stepFinish(out, part);
      case "text":
        return said(out, part);
      case "reasoning":
        return thought(out, part);
      case "tool_use":
        return toolUse(out, line, part);
      case "error":
        return failed(out, line);
      default:
        return false;
    }
  }

  function session(out: Translated[], line: JsonObject, part: JsonObject): void {
    const keys = ["sessionID", "sessionId", "session_id"];
    state.sessionId = firstWord(line, keys) ?? firstWord(part, keys);
    if (state.sessionId !== undefined) out.push({ type: "session", sessionId: state.sessionId });
  }

  /** A subagent's part would carry a different session; the current CLI prints none. */
  function parentOf(part: JsonObject): string | undefined {
    const owner = wordOf(part["sessionID"]);
    return owner === undefined || owner === state.sessionId ? undefined : owner;
  }

  // steps ─────────────────────────────────────────────────────────────────────

  /** The same message starts again if the model's stream broke off. Its text so far is dropped, and no other line reports it. */
  function stepStart(out: Translated[], part: JsonObject): boolean {
    if (parentOf(part) !== undefined) return true;
    const message = wordOf(part["messageID"]);
    if (message !== undefined && message === state.step) out.push({ type: "warning", message: BROKE_OFF, code: "step_retry" });
    takeBack(out);
    state.step = message;
    state.acted = false;
    return true;
  }

  function stepFinish(out: Translated[], part: JsonObject): boolean {
    const parent = parentOf(part);
    const partId = wordOf(part["id"]);
    const id = partId === undefined ? undefined : `${wordOf(part["messageID"])} ${partId}`;
    const usage = id !== undefined && id === state.finished ? undefined : usageOf(part); // the same line repeated
    state.finished = id;
    if (usage !== undefined) out.push(parent === undefined ? usage : { ...usage, parent });
    if (parent !== undefined) return true;
    state.step = undefined;
    const reason = wordOf(part["reason"]) ?? (state.acted ? "tool-calls" : NO_REASON);
    if (reason === "length") out.push({ type: "warning", message: CUT_SHORT, code: "output_limit" });
    if (!CONTINUES.has(reason)) concluded(out, reason, wordOf(part["messageID"]));
    return true;
  }

  /** The last step is the only sign that the run is done, and only if no tool result waits for an answer. */
  function concluded(out: Translated[], reason: string, message: string | undefined): void {
    if (state.summarizes) {
      state.summarizes = false;
      return;
    }
    const isCalled = reason !== NO_REASON && message !== undefined && message === state.called;
    if (isCalled && !FAILS.has(reason)) return; // the model has not seen the results of its calls yet, whatever reason it gives
    claim(out, FAILS.has(reason) ? "failed" : "completed", reason, state.background > 0 || isCalled);
  }

  function claim(out: Translated[], outcome: RunStatus, reason: string, pending: boolean): void {
    state.claim = pending ? { outcome, reason, pending } : { outcome, reason };
    out.push({ type: "result", ...state.claim });
  }

  /** The agent continues after it seemed done. A success no longer counts until it is claimed again; a failure stays. */
  function takeBack(out: Translated[]): void {
    if (state.claim === undefined) return;
    const { outcome, reason, pending } = state.claim;
    state.claim = undefined;
    if (outcome !== "completed") {
      if (!pending) out.push({ type: "result", outcome, reason, pending: true, rule: "goes-on" });
      return;
    }
    if (state.background > 0) state.background--; // a background subagent that ended gave it this turn
    out.push({ type: "result", outcome: "failed", reason: "step-unfinished", pending: true, rule: "goes-on" });
  }

  // parts ─────────────────────────────────────────────────────────────────────

  function said(out: Translated[], part: JsonObject): boolean {
    const again = objectOf(part["text"]);
    if (again !== undefined) return finalText(out, again);
    const text = stringOf(part["text"]);
    if (text === undefined) return false;
    state.said = wordOf(part["id"]);
    const messageId = wordOf(part["messageID"]);
    const parent = parentOf(part);
    if (part["synthetic"] !== true && part["ignored"] !== true) {
      out.push({ type: "message", role: "assistant", text, messageId, parent });
      return true;
    }
    if (objectOf(part["metadata"])?.["compaction_continue"] === true) {
      takeBack(out);
      state.summarizes = false;
      out.push({ type: "compaction", trigger: "auto", parent });
    }
    out.push({ type: "message", role: "system", text, messageId, parent });
    return true;
  }

  /** Versions from September and October 2025 ended with the last text part again, inside its `text` field. */
  function finalText(out: Translated[], part: JsonObject): boolean {
    const id = wordOf(part["id"]);
    if ((id === undefined || id !== state.said) && !said(out, part)) return false;
    if (state.claim === undefined) claim(out, "completed", "text", false);
    return true;
  }

  function thought(out: Translated[], part: JsonObject): boolean {
    const text = stringOf(part["text"]);
    if (text === undefined) return false;
    out.push({ type: "reasoning", text, parent: parentOf(part) });
    return true;
  }

  /** If a call's output is dropped from the context, its line is printed again, with the time of the drop. */
  function toolUse(out: Translated[], line: JsonObject, part: JsonObject): boolean {
    if (objectOf(objectOf(part["state"])?.["time"])?.["compacted"] !== undefined) return true;
    const parent = parentOf(part);
    const call = calls.use(out, line, part, parent);
    if (call === undefined) return false;
    if (parent !== undefined) return true;
    if (call.stops) claim(out, "blocked", "permission-refused", true); // the step still finishes, with an ordinary reason
    if (call.continues) {
      state.called = wordOf(part["messageID"]);
      state.acted = true;
    }
    if (call.background) state.background++;
    return true;
  }

  /** An error ends the run, except for a context overflow: the CLI then compacts the context and continues. */
  function failed(out: Translated[], line: JsonObject): boolean {
    const failure = failureOf(line);
    if (failure === undefined) return false;
    const { message, name, outcome } = failure;
    out.push({ type: "error", message, code: name });
    const continues = name === "ContextOverflowError";
    claim(out, outcome, name ?? (outcome === "blocked" ? "permission-refused" : "error"), continues);
    state.summarizes = continues;
    return true;
  }

  // ── end ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  return { push, end: () => nothing };
}

const BROKE_OFF = "The model's stream broke off; the step was started again";
const CUT_SHORT = "The model reached its output limit: its answer is cut off";

/** Versions before 1.0 gave no reason for the end of a step. */
const NO_REASON = "step_finish";

/** After these reasons the agent asks its model again. */
const CONTINUES = new Set(["tool-calls", "unknown"]);

/** Reasons without an answer. */
const FAILS = new Set(["content-filter", "error"]);

/** An unreadable line without the fields that hold tool inputs and results. */
function withoutContents(line: JsonObject, part: JsonObject): JsonObject {
  if (line["type"] !== "tool_use" && part["state"] === undefined) return line;
  const shown = without(part, CONTENTS);
  return part === line ? shown : { ...line, part: shown };
}

const CONTENTS = ["state", "input", "arguments", "output", "result", "metadata", "error", "title"];

export const opencode: Agent = {
  id: "opencode",
  title: "OpenCode",
  aliases: ["opencode-ai"],
  binaries: ["opencode"],
  install: "npm install -g opencode-ai",
  skillFolder: ".agents/skills",
  credentials: ["OPENCODE_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "OPENROUTER_API_KEY"],
  credentialFiles: [".local/share/opencode/auth.json", ".config/opencode/opencode.json"],
  sessionFolders: [".local/share/opencode"],
  providers: opencodeProviders("OPENCODE"),
  volatile: opencodeVolatile,
  seen: "1.18.33",
  terminal: true,
  withheld: opencodeWithheld,
  command: (task) => opencodeCommand(task, "OPENCODE"),
  open: (run) => openOpencode(run, tools),
  text: (line, stream) => (stream === "stderr" ? stderrLine(line) : undefined),
};
