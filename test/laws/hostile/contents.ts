import { objectOf } from "../../../src/pure/base/json.ts";

/**
 * The places where each agent's format holds contents: file text, command output, search results. A place is the kind of a line, a colon,
 * and the path to a string in it: `tool_result:output`, `message:message.content.0.text`.
 */
const PLACES: Readonly<Record<string, RegExp>> = {
  claude:
    /^\w*:tool_use_result\b|^user:message\.content\.\d+\.content\b|^assistant:message\.content\.\d+\.input\.(content|old_string|new_string|new_source|edits)\b/,
  codex: /^item\.\w+:item\.(aggregated_output|result|agents_states)\b/,
  goose:
    /(^message:message|^:messages\.\d+)\.content\.\d+\.(toolResult\.(value|error)\b(?!\._meta)|toolCall\.value\.arguments\.(content|before|after|file_text|old_str|new_str)\b)/,
  gemini: /^tool_result:(output|error\.message)$|^tool_use:parameters\.(content|old_string|new_string)$/,
  pi: /^tool_execution_end:(result|output)\b|^tool_execution_update:partialResult\b|^message_\w+\/toolResult:message\.(content|details)\b|^turn_end:toolResults\b|^agent_end:messages\.\d+\.content\b|^tool_execution_\w+:args\.(content|edits|oldText|newText)\b/,
  opencode: /^tool_use:part\.state\.(output|error|metadata|input\.(content|oldString|newString))\b/,
  kilo: /^tool_use:part\.state\.(output|error|metadata|input\.(content|oldString|newString))\b/,
  cline:
    /^agent_event\/content_(end|update):event\.(output|update)\b|^agent_event\/content_start:event\.input\.(new_text|old_text|content)\b/,
  acp: /\/tool_call(_update)?:params\.update\.(content|rawOutput|_meta\.(toolNotification|claudeCode\.toolResponse)|rawInput\.(content|old_string|new_string|oldString|newString|diff))\b|^session\/request_permission:params\.toolCall\.(content|rawInput\.(content|old_string|new_string|diff|filediff\.patch))\b/,
  antigravity:
    /^step_update:step_update\.tool_info\.(output|parameters\.(CodeContent|ReplacementContent|TargetContent|ReplacementChunks))\b/,
  native: /^tool_result:output\b|^tool_progress:content\b|^tool_call:input\.(content|before|after|patchText)\b/,
  rlm: /^repl_(output:(stdout|error)|progress:chunk)\b|^tool_result:output\b|^tool_progress:content\b/, // its code is the request
};

/** Fields that identify a result or name something. With other values it would be a different format. */
const KEEP = new Set(
  [
    ["type", "status", "kind", "role", "name", "query", "stream", "query", "mode", "finishReason", "isError", "agentId", "runId", "id"],
    ["filePath", "filepath", "file", "path", "relativePath", "movePath", "dir", "outputPath", "terminalId", "executionId", "provider"],
    ["agentType", "backgroundTaskId", "tool_use_id", "worktreePath", "restoredCwd", "toolCallId", "toolName"],
    ["sessionId", "sessionID", "parentSessionId", "subagent_session_id", "modelID", "providerID", "source", "rule", "agent", "priority"],
  ].flat(),
);

/** The line with `mark` after every string that holds contents. */
export function marked(agent: string, line: object, mark: string): unknown {
  const places = PLACES[agent];
  const kind = kindOf(line as Readonly<Record<string, unknown>>);
  return places === undefined ? line : walk(line, "", undefined);

  function walk(value: unknown, path: string, key: string | undefined): unknown {
    if (typeof value === "string") return places?.test(`${kind}:${path}`) && !KEEP.has(key ?? "") ? `${value} ${mark}` : value;
    if (Array.isArray(value)) return value.map((item, index) => walk(item, join(path, String(index)), key));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item, join(path, name), name)]));
  }
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** `agent_event/content_end`, `session/update/tool_call`, `message_end/toolResult`; else the type alone. */
function kindOf(line: Readonly<Record<string, unknown>>): string {
  const kind = word(line, "type", "method", "event");
  const isNamed = kind === "agent_event" || kind === "team_event" || kind === "session/update" || kind.startsWith("message_");
  if (!isNamed) return kind;
  const inner = objectOf(line["event"]) ?? objectOf(line["message"]) ?? objectOf(line["params"]) ?? {};
  return `${kind}/${word(objectOf(inner["update"]) ?? inner, "sessionUpdate", "role", "type")}`;
}

function word(object: Readonly<Record<string, unknown>>, ...keys: readonly string[]): string {
  return keys.map((key) => object[key]).find((value) => typeof value === "string") ?? "";
}
