// The flat say/ask stream of Cline before 3.0, seen in 2.18.0.

import { firstWord, isObject, type JsonObject, numberOf, parseObject, stringOf, without, wordOf } from "../../base/index.ts";
import type { Translated } from "../../pipeline/index.ts";
import { apiFailure } from "../api-failure.ts";

/** Problems that the CLI reports. Specification 000 treats all of them as errors. */
const DIAGNOSTIC = new Set(
  "error error_retry diff_error clineignore_error shell_integration_warning shell_integration_warning_with_suggestion".split(" "),
);

/** Other kinds, taken from its source. Only some of them were seen. */
const KNOWN = new Set(
  `api_req_started api_req_finished api_req_retried deleted_api_reqs command command_output tool info task_progress checkpoint_created
  browser_action_launch browser_action browser_action_result mcp_server_request_started mcp_server_response mcp_notification
  use_mcp_server load_mcp_documentation user_feedback_diff hook_status hook_output_stream conditional_rules_applied generate_explanation
  use_subagents subagent subagent_usage completion_result resume_task resume_completed_task auto_approval_max_req_reached new_task
  condense summarize_task report_bug`.split(/\s+/),
);

/** Records with tool results, file text or a whole request in their text. */
const WITH_CONTENTS = new Set(
  `tool command_output api_req_started api_req_finished browser_action_result mcp_server_response use_mcp_server user_feedback_diff
  hook_output_stream use_subagents subagent generate_explanation`.split(/\s+/),
);

/** Nothing of these is repeated: command output, and requests to the model. */
const WITHOUT_REQUEST = new Set(["command_output", "api_req_started", "api_req_finished"]);

/** Fields of the other records that may be repeated: the request. */
const REQUEST = new Set(
  "tool path regex filePattern readLineStart readLineEnd operationIsLocatedInWorkspace type serverName toolName uri action".split(" "),
);

/** Tools that change files. */
const CHANGES = new Set<unknown>(["newFileCreated", "editedExistingFile", "fileDeleted"]);

export function clineLegacy() {
  let spoken = ""; // the message that repeats with growing text

  /** Returns false for a record it cannot read. Tool activity is not reconstructed; records are passed on without contents. */
  function say(out: Translated[], line: JsonObject): boolean {
    const kind = wordOf(line["say"]);
    const text = stringOf(line["text"]) ?? "";
    if (kind === undefined) return false;
    if (line["partial"] === true) return partial(out, kind, text);
    switch (kind) {
      case "text":
        return message(out, text);
      case "completion_result":
        message(out, text);
        out.push({ type: "result", outcome: "completed", reason: kind, text });
        return true;
      case "reasoning":
        out.push({ type: "reasoning", text: text || (stringOf(line["reasoning"]) ?? "") });
        return true;
      case "task":
      case "user_feedback":
        out.push({ type: "message", role: "user", text, raw: line });
        return true;
      case "command_permission_denied":
        out.push({ type: "permission-decision", decision: "deny", reason: text, raw: line });
        return true;
      default:
        if (DIAGNOSTIC.has(kind)) out.push({ type: "error", message: messageIn(text) });
        else if (!KNOWN.has(kind)) return false;
        else known(out, line, kind, text);
        return true;
    }
  }

  /** A `say` record, unlike an `ask`, was approved. If it changes files, an earlier denial no longer blocks the run. */
  function known(out: Translated[], line: JsonObject, kind: string, text: string): void {
    const fields = WITH_CONTENTS.has(kind) && !WITHOUT_REQUEST.has(kind) ? fieldsIn(text) : undefined;
    const raw = withoutResults(line, kind, fields);
    const acts = kind === "command" || (kind === "tool" && CHANGES.has(fields?.["tool"]));
    if (acts) out.push({ type: "permission-decision", tool: kind, decision: "allow", raw });
    else out.push({ type: "notice", kind, raw });
  }

  function ask(out: Translated[], line: JsonObject): boolean {
    const kind = wordOf(line["ask"]);
    const text = stringOf(line["text"]) ?? "";
    if (kind === undefined) return false;
    if (line["partial"] === true) return true; // the complete one follows
    switch (kind) {
      case "followup":
        return message(out, wordOf(fieldsIn(text)?.["question"]) ?? text);
      case "plan_mode_respond":
      case "act_mode_respond":
        out.push({ type: "message", role: "assistant", text: wordOf(fieldsIn(text)?.["response"]) ?? text, raw: line });
        return true;
      case "command":
      case "tool":
        out.push({ type: "permission-request", tool: kind, raw: withoutResults(line, kind, fieldsIn(text)) });
        return true;
      case "api_req_failed": {
        const status = numberOf(fieldsIn(text)?.["status"]);
        out.push({ type: "notice", kind, message: messageIn(text), raw: line });
        out.push({ type: "result", outcome: apiFailure(status, messageIn(text)), reason: kind });
        return true;
      }
      case "mistake_limit_reached":
        out.push({ type: "notice", kind, message: text, raw: line });
        out.push({ type: "result", outcome: "failed", reason: kind });
        return true;
      default:
        if (!KNOWN.has(kind)) return false;
        known(out, line, kind, text);
        return true;
    }
  }

  function message(out: Translated[], text: string): boolean {
    spoken = "";
    out.push({ type: "message", role: "assistant", text });
    return true;
  }

  /** The same message with more text: emits only the new part. */
  function partial(out: Translated[], kind: string, text: string): boolean {
    if (kind !== "text" && kind !== "completion_result") return true;
    const piece = text.startsWith(spoken) ? text.slice(spoken.length) : "";
    if (piece === "") return true;
    spoken = text;
    out.push({ type: "text-delta", text: piece });
    return true;
  }

  return { say, ask };
}

/** Some texts are JSON: a provider's error, a question with options. */
function fieldsIn(text: string): JsonObject | undefined {
  return text.startsWith("{") ? parseObject(text) : undefined;
}

export function messageIn(text: string): string {
  return firstWord(fieldsIn(text) ?? {}, ["message", "errorMessage"]) ?? text;
}

function withoutResults(line: JsonObject, kind: string, fields: JsonObject | undefined): JsonObject {
  if (!WITH_CONTENTS.has(kind)) return line;
  const rest = without(line, ["text", "images", "files"]);
  const asked: Record<string, unknown> = {};
  let isAsked = false;
  for (const key in fields) {
    if (!REQUEST.has(key) || isObject(fields[key])) continue;
    asked[key] = fields[key];
    isAsked = true;
  }
  return isAsked ? { ...rest, text: JSON.stringify(asked) } : rest;
}
