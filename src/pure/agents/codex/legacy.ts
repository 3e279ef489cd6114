// Codex before 0.41: `codex exec --json` printed its internal protocol events, `{"id": …, "msg": {"type": …}}`, after its settings and
// the prompt. Written from the source of 0.2.0 to 0.38.0; never run here.

import {
  arrayOf,
  isObject,
  type JsonObject,
  nothing,
  numberOf,
  objectOf,
  resolvePath,
  shallow,
  shellLine,
  stringOf,
  wordOf,
} from "../../base/index.ts";
import { anyTokens, type EventBody, type Operation, ownTokens, type PlanItem } from "../../events/index.ts";
import type { RunContext, Translated } from "../../pipeline/index.ts";
import { placedClassifier } from "../../shell/index.ts";
import { apiFailure } from "../api-failure.ts";
import { tokensOf } from "./items.ts";

/** Events that say nothing about the run. */
const SILENT = new Set<unknown>(["task_started", "agent_reasoning_section_break", "shutdown_complete"]);

/** Other events. Only their names are emitted, because some hold file text. */
const NOTED = new Set<unknown>(["turn_diff", "view_image_tool_call", "get_history_entry_response", "mcp_list_tools_response"]);

export function codexLegacy(run: RunContext) {
  const classify = placedClassifier();
  const open = new Set<string>();
  let cwd = run.cwd;
  /** `whole`: the model spoke last and its request is over. `task_complete`, which would say so, is not printed. */
  let answer: "none" | "said" | "whole" = "none";
  let hasResult = false;

  /** Undefined for a line of a different form, false for an unreadable line of this form. */
  function line(out: Translated[], value: JsonObject): boolean | undefined {
    const msg = objectOf(value["msg"]);
    if (msg !== undefined) return message(out, msg);
    if (value["type"] !== undefined) return undefined;
    const prompt = stringOf(value["prompt"]);
    if (prompt !== undefined) out.push({ type: "message", role: "user", text: prompt });
    else if (wordOf(value["workdir"]) !== undefined) settings(out, value);
    else return undefined;
    return true;
  }

  function settings(out: Translated[], value: JsonObject): void {
    cwd = wordOf(value["workdir"]) ?? cwd;
    out.push({ type: "session", cwd, model: wordOf(value["model"]) });
  }

  function message(out: Translated[], msg: JsonObject): boolean {
    const kind = wordOf(msg["type"]);
    if (kind === undefined) return false;
    const callId = wordOf(msg["call_id"]);
    if (callId === undefined) return said(out, kind, msg);
    if (kind === "exec_command_output_delta") return emit(out, { type: "tool-progress", callId });
    if (kind.endsWith("_begin")) return begin(out, kind, callId, msg);
    if (kind.endsWith("_end")) return finish(out, kind, callId, msg);
    if (kind.endsWith("_approval_request")) return emit(out, { type: "permission-request", callId, tool: toolOf(kind) });
    return said(out, kind, msg);
  }

  // text ──────────────────────────────────────────────────────────────────────

  function said(out: Translated[], kind: string, msg: JsonObject): boolean {
    const text = stringOf(msg["message"]) ?? stringOf(msg["text"]) ?? stringOf(msg["delta"]);
    switch (kind) {
      case "session_configured":
        return emit(out, { type: "session", sessionId: wordOf(msg["session_id"]), model: wordOf(msg["model"]) });
      case "agent_message":
        answer = "said";
        return text !== undefined && emit(out, { type: "message", role: "assistant", text });
      case "user_message":
        return text !== undefined && emit(out, { type: "message", role: "user", text });
      case "agent_message_delta":
        return text !== undefined && emit(out, { type: "text-delta", text });
      case "agent_reasoning":
      case "agent_reasoning_raw_content":
        return text !== undefined && emit(out, { type: "reasoning", text });
      case "agent_reasoning_delta":
      case "agent_reasoning_raw_content_delta":
        return text !== undefined && emit(out, { type: "reasoning-delta", text });
      case "token_count":
        return counted(out, msg);
      case "plan_update":
        return emit(out, { type: "plan", items: planOf(msg["plan"]), raw: { type: kind, plan: shallow(msg["plan"]) } });
      case "background_event":
        return emit(out, { type: "notice", kind, message: text, raw: { type: kind, message: text } });
      case "stream_error":
        answer = "none";
        return emit(out, { type: "warning", message: text ?? "The model's stream broke off", code: "reconnecting" });
      default:
        return ended(out, kind, text ?? kind);
    }
  }

  function ended(out: Translated[], kind: string, text: string): boolean {
    if (SILENT.has(kind)) return true;
    if (NOTED.has(kind)) return emit(out, { type: "notice", kind, raw: { type: kind } });
    if (kind !== "error" && kind !== "turn_aborted" && kind !== "task_complete") return false;
    hasResult = true;
    if (kind === "task_complete") return emit(out, { type: "result", outcome: "completed", reason: kind });
    if (kind === "turn_aborted") return emit(out, { type: "result", outcome: "canceled", reason: kind });
    out.push({ type: "error", message: text });
    return emit(out, { type: "result", outcome: apiFailure(undefined, text), reason: kind });
  }

  /** Up to 0.30 the usage of one request, later of the session. */
  function counted(out: Translated[], msg: JsonObject): boolean {
    if (answer === "said") answer = "whole";
    const info = objectOf(msg["info"]);
    const total = objectOf(info?.["total_token_usage"]);
    const tokens = total === undefined ? tokensOf(msg) : ownTokens(tokensOf(total), run.before);
    if (anyTokens(tokens)) out.push({ type: "usage", scope: total === undefined ? "step" : "total", tokens, covers: "main" });
    return true;
  }

  // calls ─────────────────────────────────────────────────────────────────────

  function begin(out: Translated[], kind: string, callId: string, msg: JsonObject): boolean {
    answer = "none";
    open.add(callId);
    const command = commandOf(msg["command"]);
    const changes = command === undefined ? objectOf(msg["changes"]) : undefined;
    if (command !== undefined) {
      out.push({
        type: "tool-start",
        callId,
        tool: "exec_command",
        input: { command },
        operations: commanded(command, wordOf(msg["cwd"])),
      });
    } else if (changes !== undefined) {
      const input = { changes: Object.keys(changes) };
      out.push({ type: "tool-start", callId, tool: "patch_apply", input, operations: written(changes) });
    } else {
      const invocation = objectOf(msg["invocation"]) ?? msg;
      const [server, name] = [wordOf(invocation["server"]), wordOf(invocation["tool"])];
      const tool = server === undefined || name === undefined ? toolOf(kind) : `${server}.${name}`;
      const input = asked(invocation);
      out.push({ type: "tool-start", callId, tool, input, operations: nothing, request: { type: kind, tool, input } });
    }
    return true;
  }

  function commanded(command: string, place: string | undefined): readonly Operation[] {
    return classify(command, place ?? cwd).operations;
  }

  /** A moved file counts as written at both paths. */
  function written(changes: JsonObject): readonly Operation[] {
    return Object.entries(changes).flatMap(([path, change]) => {
      const moved = wordOf(objectOf(objectOf(change)?.["update"])?.["move_path"]);
      return (moved === undefined ? [path] : [path, moved]).map((each) => ({ kind: "write" as const, path: resolvePath(each, cwd) }));
    });
  }

  function finish(out: Translated[], kind: string, callId: string, msg: JsonObject): boolean {
    if (!open.delete(callId)) begin(out, kind.replace(/_end$/, "_begin"), callId, msg);
    open.delete(callId);
    const code = numberOf(msg["exit_code"]);
    const exitCode = code === undefined || code < 0 ? undefined : code;
    const query = wordOf(msg["query"]); // a web search names its query only now
    const raw = query === undefined ? undefined : { type: kind, query };
    out.push({ type: "tool-end", callId, success: successOf(msg, code), exitCode, output: outputOf(msg), raw });
    return true;
  }

  // ── end ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  function end(): readonly Translated[] {
    if (hasResult || answer !== "whole" || open.size > 0) return nothing;
    return [{ type: "result", outcome: "completed", reason: "agent_message", rule: "last-answer" }];
  }

  return { line, end };
}

function emit(out: Translated[], body: EventBody): true {
  out.push(body);
  return true;
}

/** A list of arguments, or a command line. */
function commandOf(command: unknown): string | undefined {
  const args = arrayOf(command);
  return args === undefined ? wordOf(command) : shellLine(args.filter((each) => typeof each === "string"));
}

/** `exec_command_begin` → `exec_command` */
function toolOf(kind: string): string {
  return kind.replace(/_(begin|end|approval_request)$/, "");
}

/** The request of an MCP call or a web search. */
function asked(invocation: JsonObject): unknown {
  return invocation["arguments"] ?? { query: invocation["query"] ?? null };
}

/** A result is `{"Ok": {content, is_error}}` or `{"Err": message}`. */
function successOf(msg: JsonObject, code: number | undefined): boolean | undefined {
  if (code !== undefined) return code === 0;
  if (typeof msg["success"] === "boolean") return msg["success"];
  const result = objectOf(msg["result"]);
  if (result === undefined) return undefined;
  const good = objectOf(result["Ok"]);
  return good !== undefined && good["is_error"] !== true && good["isError"] !== true;
}

function outputOf(msg: JsonObject): string | undefined {
  const whole = wordOf(msg["aggregated_output"]);
  if (whole !== undefined) return whole;
  const streams = [wordOf(msg["stdout"]), wordOf(msg["stderr"])].filter((text) => text !== undefined);
  if (streams.length > 0) return streams.join("\n");
  return isObject(msg["result"]) ? JSON.stringify(shallow(msg["result"])) : undefined;
}

function planOf(plan: unknown): readonly PlanItem[] {
  return (arrayOf(plan) ?? []).filter(isObject).map(({ step, status }) => {
    const known = status === "pending" || status === "in_progress" || status === "completed";
    return { text: stringOf(step) ?? "", status: known ? status : "unknown" };
  });
}
