import type { agents } from "../../../../src/pure/agents/agents.ts";

/**
 * Every way each agent can end: what it prints last, and what the run then is. docs/explanation/status.md has a row for each; endings.test.ts
 * runs them. The process exits with 0, unless a row says otherwise.
 */
export interface Ending {
  readonly agent: keyof typeof agents;
  /** As the page describes it. */
  readonly ends: string;
  readonly lines: readonly (object | string)[];
  readonly stderr?: string;
  readonly exit?: number;
  readonly status: string;
  readonly reason: string;
}

type Row = readonly [ends: string, lines: readonly (object | string)[], status: string, reason: string, rest?: Partial<Ending>];

const rowsOf = (agent: Ending["agent"], rows: readonly Row[]): readonly Ending[] =>
  rows.map(([ends, lines, status, reason, rest]) => ({ agent, ends, lines, status, reason, ...rest }));

// ── what each agent prints ──────────────────────────────────────────────────────────────────────────────────────────

const claude = (fields: object) => ({ type: "result", subtype: "success", is_error: false, num_turns: 1, result: "Done.", ...fields });
const claudeFailed = (terminal_reason: string, more: object = {}) =>
  claude({ subtype: "error_during_execution", is_error: true, terminal_reason, ...more });
const api = (api_error_status: number) =>
  claude({ is_error: true, terminal_reason: "api_error", api_error_status, result: `API Error: ${api_error_status}` });

const codexSays = { type: "item.completed", item: { id: "item_0", type: "agent_message", text: "Done." } };
const codexOld = (msg: object) => ({ id: "0", msg });

const gooseSays = (text: string, inference?: object) => ({
  type: "message",
  message: {
    id: inference === undefined ? "msg_5b5005dc-1db0-4d83-b101-edcfecb6cb8a" : "m",
    role: "assistant",
    created: 1,
    content: [{ type: "text", text }],
    metadata: { userVisible: true, agentVisible: true, inference },
  },
});
const complete = { type: "complete", total_tokens: 10 };

const piEnd = (stopReason: string | undefined, errorMessage?: string) => ({
  type: "message_end",
  message: { role: "assistant", content: [{ type: "text", text: "Done." }], stopReason, errorMessage },
});
const settled = { type: "agent_settled" };

const geminiSays = { type: "message", role: "assistant", content: "Done.", delta: true };
const gemini = (status: string, error?: object) => ({ type: "result", status, error, stats: {} });
const geminiError = (message: string, severity = "error") => ({ type: "error", severity, message });

const clineResult = (finishReason: string, text = "Done.") => ({ type: "run_result", finishReason, text, iterations: 1 });
const clineEvent = (event: object) => ({ type: "agent_event", event });
const clineSays = clineEvent({ type: "content_end", contentType: "text", text: "Done." });

const openSays = { type: "text", sessionID: "s", part: { id: "t", messageID: "m", type: "text", text: "Done." } };
const openStep = (reason: string, messageID = "m") => ({
  type: "step_finish",
  sessionID: "s",
  part: { id: `f-${messageID}`, messageID, type: "step-finish", reason },
});
const openStart = (messageID: string) => ({ type: "step_start", sessionID: "s", part: { id: "b", messageID, type: "step-start" } });
const openError = (name: string, message = "It failed", data: object = {}) => ({
  type: "error",
  sessionID: "s",
  error: { name, data: { message, ...data } },
});

const acpSays = {
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Done." } } },
};
const acpEnds = (stopReason: string) => ({ jsonrpc: "2.0", id: 2, result: { stopReason } });
const acpIs = (name: string) => ({ jsonrpc: "2.0", id: 0, result: { protocolVersion: 1, agentInfo: { name, version: "1" } } });
const codexThread = (type: string) => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: { sessionUpdate: "session_info_update", _meta: { codex: { threadStatus: { type } } } } },
});
const acpError = (code: number, message: string) => ({ jsonrpc: "2.0", id: 2, error: { code, message } });

const own = (...events: readonly object[]) => events.map((event) => ({ runId: "r", ...event }));
const ownStart = { type: "harness_start" };
const ownEnd = (reason: string) => ({ type: "harness_end", reason, iterations: 1, totalUsage: { inputTokens: 1, outputTokens: 1 } });
const ownSays = { type: "text", id: "t", content: "Done." };
const ownError = (message: string, code?: string) => ({ type: "error", message, code });

const google = (status: string, error?: string) => ({ event: "result", result: { status, error, response: "Done.", duration_seconds: 1 } });

// ── the table ───────────────────────────────────────────────────────────────────────────────────────────────────────

export const endings: readonly Ending[] = [
  ...rowsOf("claude", [
    ["`result`, `terminal_reason: completed`", [claude({ terminal_reason: "completed" })], "completed", "completed"],
    ["`result` without a reason, `subtype: success`", [claude({})], "completed", "success"],
    ["`result` of an unknown `subtype`, no error", [claude({ subtype: "odd" })], "failed", "result-missing"],
    ["`aborted_tools`, `aborted_streaming`", [claudeFailed("aborted_tools")], "canceled", "aborted_tools"],
    ["`background_requested`", [claude({ terminal_reason: "background_requested" })], "canceled", "background_requested"],
    ["`max_turns`", [claudeFailed("max_turns", { subtype: "error_max_turns" })], "failed", "max_turns"],
    ["`budget_exhausted`, any other reason of an error", [claudeFailed("budget_exhausted")], "failed", "budget_exhausted"],
    ["`hook_stopped`", [claude({ terminal_reason: "hook_stopped" })], "blocked", "hook_stopped"],
    ["`tool_deferred`", [claude({ terminal_reason: "tool_deferred" })], "blocked", "tool_deferred"],
    ["`stopped_by_permission_check`", [claudeFailed("x", { stopped_by_permission_check: true })], "blocked", "permission_check"],
    [
      "a hook denied the prompt: `num_turns: 0`",
      [{ type: "system", subtype: "informational", prompt_submit_outcome: { kind: "blocked_by_hook" } }, claude({ num_turns: 0 })],
      "blocked",
      "blocked_by_hook",
    ],
    ["`stop_reason: refusal`", [claude({ stop_reason: "refusal" })], "failed", "refusal"],
    ["`api_error` with status 500, 429, 401 …", [api(500)], "infrastructure", "api_error"],
    ["`api_error` with status 400, 404 …", [api(400)], "failed", "api_error"],
    [
      "`startup_failure_reason` about the account",
      [claude({ subtype: "error_during_execution", is_error: true, startup_failure_reason: "gateway_access_denied" })],
      "infrastructure",
      "error_during_execution",
    ],
    ["an `init` after a `result` that claimed success", [claude({}), { type: "system", subtype: "init" }], "failed", "turn-unfinished"],
    ["no `result`", [{ type: "assistant", message: { id: "m", content: [{ type: "text", text: "Done." }] } }], "failed", "result-missing"],
  ]),
  ...rowsOf("codex", [
    ["`turn.completed`", [codexSays, { type: "turn.completed" }], "completed", "turn.completed"],
    [
      "`turn.failed`, the model's API was down",
      [{ type: "turn.failed", error: { message: "unexpected status 401 Unauthorized" } }],
      "infrastructure",
      "turn.failed",
    ],
    [
      "`turn.failed`, the request was wrong",
      [{ type: "turn.failed", error: { message: "unexpected status 400 Bad Request" } }],
      "failed",
      "turn.failed",
    ],
    ["`error`, and nothing after it", [{ type: "error", message: "unexpected status 500" }], "infrastructure", "error"],
    [
      "before 0.43: `task_complete`",
      [codexOld({ type: "agent_message", message: "Done." }), codexOld({ type: "task_complete" })],
      "completed",
      "task_complete",
    ],
    ["before 0.43: `turn_aborted`", [codexOld({ type: "turn_aborted" })], "canceled", "turn_aborted"],
    [
      "before 0.43: the model spoke last",
      [codexOld({ type: "agent_message", message: "Done." }), codexOld({ type: "token_count" })],
      "completed",
      "agent_message",
    ],
    [
      "0.41, 0.42: the model spoke last",
      [
        { type: "session.created", session_id: "s" },
        { type: "item.completed", item: { id: "i", item_type: "assistant_message", text: "Done." } },
      ],
      "completed",
      "assistant_message",
    ],
    ["none of these", [codexSays], "failed", "result-missing"],
  ]),
  ...rowsOf("goose", [
    ["`complete`", [gooseSays("Done."), complete], "completed", "complete"],
    [
      "`complete` after “Ran into this error”, status 500",
      [
        gooseSays(
          "Ran into this error: Server error (500 Internal Server Error).\n\nPlease retry if you think this is a transient or recoverable error.",
        ),
        complete,
      ],
      "infrastructure",
      "api_error",
    ],
    [
      "`complete` after “I've reached the maximum number of actions”",
      [gooseSays("I've reached the maximum number of actions I can do without user input. Would you like me to continue?"), complete],
      "failed",
      "max_turns",
    ],
    [
      "`complete` after “The model returned an empty response”",
      [gooseSays("The model returned an empty response."), complete],
      "failed",
      "empty_response",
    ],
    ["`complete` after “Maximum retry attempts”", [gooseSays("Maximum retry attempts (3) exceeded."), complete], "failed", "max_retries"],
    [
      "`complete` after “Context limit exceeded”",
      [gooseSays("Unable to continue: Context limit still exceeded after compaction."), complete],
      "failed",
      "context_limit",
    ],
    ["`complete` after “Compaction failed”", [gooseSays("Compaction failed: (500 x)"), complete], "infrastructure", "compaction_failed"],
    [
      "`complete` after “Please add credits”",
      [gooseSays("Please add credits to your account."), complete],
      "infrastructure",
      "credits_exhausted",
    ],
    [
      "`complete` after any other text that Goose wrote itself and that reports a failure",
      [gooseSays("Done.", { model: "x" }), gooseSays("The extension failed to load (500 x)"), complete],
      "infrastructure",
      "goose_error",
    ],
    [
      "`error` instead of `complete`",
      [{ type: "error", error: "Authentication failed. Status: 401 Unauthorized" }],
      "infrastructure",
      "error",
    ],
    ["`error`: run interrupted", [{ type: "error", error: "run interrupted" }], "canceled", "interrupted"],
    [
      "“Tool approval required” on stderr, exit 1",
      [gooseSays("Done.")],
      "blocked",
      "approval_required",
      { stderr: "Error: Tool approval required in non-interactive mode", exit: 1 },
    ],
    ["none of these", [gooseSays("Done.")], "failed", "result-missing"],
  ]),
  ...rowsOf("pi", [
    ["`agent_settled` after `stopReason` `stop`", [piEnd("stop"), settled], "completed", "stop"],
    ["after `length`", [piEnd("length"), settled], "completed", "length"],
    ["after `toolUse`", [piEnd("toolUse"), settled], "completed", "toolUse"],
    ["after `aborted`, or `agent_settled` with `aborted: true`", [piEnd("aborted"), settled], "canceled", "aborted"],
    ["after `error`, status 500, 429, 401 …", [piEnd("error", "401 invalid api key"), settled], "infrastructure", "error"],
    ["after `error`, any other", [piEnd("error", "400 bad request"), settled], "failed", "error"],
    ["after an unknown `stopReason`", [piEnd("odd"), settled], "failed", "result-missing"],
    ["before 0.80.4: the last `agent_end`", [piEnd("stop"), { type: "agent_end", messages: [] }], "completed", "stop"],
    ["neither", [piEnd("stop")], "failed", "result-missing"],
  ]),
  ...rowsOf("gemini", [
    ["`result`, `success`, and the model spoke last", [geminiSays, gemini("success")], "completed", "success"],
    ["`success` without an answer", [gemini("success")], "failed", "no_answer"],
    [
      "`success` after an `error` of the API",
      [geminiSays, geminiError('[API Error: {"error":{"code":500}}]'), gemini("success")],
      "infrastructure",
      "error",
    ],
    [
      "`success` after “Loop detected”",
      [geminiSays, geminiError("Loop detected, stopping execution", "warning"), gemini("success")],
      "failed",
      "loop_detected",
    ],
    [
      "`success` after “Agent execution stopped” or “blocked”",
      [geminiSays, geminiError("Agent execution stopped: by a hook", "warning"), gemini("success")],
      "blocked",
      "agent_execution_blocked",
    ],
    [
      "`success` after a call ended with `stop_execution`",
      [
        geminiSays,
        { type: "tool_use", tool_name: "x", tool_id: "c", parameters: {} },
        { type: "tool_result", tool_id: "c", status: "error", error: { type: "stop_execution", message: "no" } },
        gemini("success"),
      ],
      "blocked",
      "stop_execution",
    ],
    ["`error` without details", [geminiSays, gemini("error")], "failed", "error"],
    [
      "`error`, `FatalCancellationError`",
      [gemini("error", { type: "FatalCancellationError", message: "Operation cancelled." })],
      "canceled",
      "FatalCancellationError",
    ],
    [
      "`error`, `FatalAuthenticationError`",
      [gemini("error", { type: "FatalAuthenticationError", message: "no" })],
      "infrastructure",
      "FatalAuthenticationError",
    ],
    [
      "`error`, `FatalTurnLimitedError`, any other name",
      [gemini("error", { type: "FatalTurnLimitedError", message: "Reached max session turns" })],
      "failed",
      "FatalTurnLimitedError",
    ],
    [
      "“When using Gemini API, you must specify …” on stderr, exit 41",
      [],
      "infrastructure",
      "auth_required",
      { stderr: "When using Gemini API, you must specify the GEMINI_API_KEY environment variable.", exit: 41 },
    ],
    ["no `result`", [geminiSays], "failed", "result-missing"],
  ]),
  ...rowsOf("cline", [
    ["`run_result`, `completed`", [clineSays, clineResult("completed")], "completed", "completed"],
    ["`error`, status 401", [clineResult("error", "401 Unauthorized")], "infrastructure", "error"],
    ["`error`, any other", [clineResult("error", "400 Bad Request")], "failed", "error"],
    ["`aborted`", [clineSays, clineResult("aborted")], "canceled", "aborted"],
    [
      "`aborted` after mistakes that it counted: it gave up",
      [clineSays, clineEvent({ type: "error", recoverable: true, error: { message: "1 tool call(s) failed" } }), clineResult("aborted")],
      "failed",
      "mistake_limit",
    ],
    ["`max_iterations`, any other", [clineSays, clineResult("max_iterations")], "failed", "max_iterations"],
    [
      "`run_aborted`",
      [clineSays, clineResult("completed"), { type: "run_aborted", reason: "local_abort", message: "aborted" }],
      "canceled",
      "local_abort",
    ],
    ["`run_abort_requested`, and nothing after it", [clineSays, { type: "run_abort_requested", reason: "sigint" }], "canceled", "sigint"],
    [
      "“run timed out after …” on stderr",
      [clineSays, clineResult("aborted")],
      "timed_out",
      "run_timeout",
      { stderr: '{"ts":"2026-01-01T00:00:00Z","type":"error","message":"run timed out after 5s"}' },
    ],
    ["legacy: `completion_result`", [{ type: "say", say: "completion_result", text: "Done." }], "completed", "completion_result"],
    [
      "legacy: `api_req_failed`",
      [{ type: "ask", ask: "api_req_failed", text: '{"message":"down","status":500}' }],
      "infrastructure",
      "api_req_failed",
    ],
    [
      "legacy: `mistake_limit_reached`",
      [{ type: "ask", ask: "mistake_limit_reached", text: "too many" }],
      "failed",
      "mistake_limit_reached",
    ],
    ["none of these", [clineSays], "failed", "result-missing"],
  ]),
  ...(["opencode", "kilo"] as const).flatMap((agent) =>
    rowsOf(agent, [
      ["`step_finish`, `stop`", [openSays, openStep("stop")], "completed", "stop"],
      ["`step_finish`, `length`", [openSays, openStep("length")], "completed", "length"],
      ["`step_finish`, `content-filter`", [openSays, openStep("content-filter")], "failed", "content-filter"],
      ["`step_finish`, `error`", [openSays, openStep("error")], "failed", "error"],
      ["`step_finish`, `tool-calls`, and nothing after it", [openSays, openStep("tool-calls")], "failed", "result-missing"],
      ["a `step_start` after a step that seemed the last", [openSays, openStep("stop"), openStart("n")], "failed", "step-unfinished"],
      ["`error`, `MessageAbortedError`", [openError("MessageAbortedError")], "canceled", "MessageAbortedError"],
      ["`error`, `ProviderAuthError`", [openError("ProviderAuthError")], "infrastructure", "ProviderAuthError"],
      [
        "`error`, `APIError` with status 500, 429, 401 …",
        [openError("APIError", "down", { statusCode: 500 })],
        "infrastructure",
        "APIError",
      ],
      ["`error`, `APIError` with status 400 …", [openError("APIError", "bad", { statusCode: 400 })], "failed", "APIError"],
      ["`error`, `ContextOverflowError`", [openError("ContextOverflowError")], "failed", "ContextOverflowError"],
      ["`error`, any other name", [openError("UnknownError")], "failed", "UnknownError"],
      ["`error` without a name", [{ type: "error", sessionID: "s", error: "It failed" }], "failed", "error"],
    ]),
  ),
  ...rowsOf("acp", [
    ["`stopReason` `end_turn`", [acpSays, acpEnds("end_turn")], "completed", "end_turn"],
    ["`max_tokens`", [acpSays, acpEnds("max_tokens")], "completed", "max_tokens"],
    ["`cancelled`, `canceled`", [acpSays, acpEnds("cancelled")], "canceled", "cancelled"],
    ["`refusal`", [acpSays, acpEnds("refusal")], "failed", "refusal"],
    ["`max_turn_requests`", [acpSays, acpEnds("max_turn_requests")], "failed", "max_turn_requests"],
    ["any other `stopReason`", [acpSays, acpEnds("odd")], "failed", "odd"],
    [
      "`end_turn` without an answer: Gemini CLI; others after a call, with neither a usage nor a denial",
      [acpIs("gemini-cli"), acpEnds("end_turn")],
      "failed",
      "empty_turn",
    ],
    [
      "`end_turn` right after one chunk “Error: 400 …” without an id (Copilot)",
      [
        acpIs("copilot"),
        {
          ...acpSays,
          params: {
            sessionId: "s",
            update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Error: 400 Bad request" } },
          },
        },
        acpEnds("end_turn"),
      ],
      "failed",
      "api_error",
    ],
    [
      "`end_turn`, and Codex's thread is in `systemError`",
      [acpSays, codexThread("systemError"), acpEnds("end_turn")],
      "failed",
      "system_error",
    ],
    ["an error of the protocol, status 401", [acpError(-32603, "401 Unauthorized")], "infrastructure", "internal_error"],
    ["an error of the protocol, any other", [acpError(-32099, "It broke")], "failed", "error--32099"],
    ["none of these", [acpSays], "failed", "result-missing"],
  ]),
  ...rowsOf("antigravity", [
    ["`result.status` `SUCCESS`, `OK`", [google("SUCCESS")], "completed", "SUCCESS"],
    ["`CANCELLED`", [google("CANCELLED")], "canceled", "CANCELLED"],
    [
      "`ERROR`, `FAILED`, `TIMEOUT`, `WAITING`, status 429 …",
      [google("ERROR", "RESOURCE_EXHAUSTED (code 429): limit")],
      "infrastructure",
      "ERROR",
    ],
    ["the same, any other", [google("ERROR", "It broke")], "failed", "ERROR"],
    ["any other status", [google("ODD")], "failed", "result-missing"],
  ]),
  ...rowsOf("native", [
    ["`harness_end`, `final`", own(ownStart, ownSays, ownEnd("final")), "completed", "final"],
    ["`max_iterations`", own(ownStart, ownSays, ownEnd("max_iterations")), "failed", "max_iterations"],
    [
      "`error` after an `error`, the model's API was down",
      own(ownStart, ownError("HTTP 500: down", "http_500"), ownEnd("error")),
      "infrastructure",
      "http_500",
    ],
    [
      "`error` after an `error`, any other",
      own(ownStart, ownError("The model's answer was empty (stop)", "empty"), ownEnd("error")),
      "failed",
      "empty",
    ],
    [
      "`error` after the code `budget`",
      own(ownStart, ownError("The budget of 500 tokens is used up: 601 were used", "budget"), ownEnd("error")),
      "failed",
      "budget",
    ],
    ["`error` after the code `canceled`", own(ownStart, ownError("canceled", "canceled"), ownEnd("error")), "canceled", "canceled"],
    ["no `harness_end`", own(ownStart, ownSays), "failed", "result-missing"],
  ]),
  ...rowsOf("generic", [
    ["exit 0", ["Done."], "completed", "exit-code"],
    ["exit 2", ["Done."], "failed", "exit-code", { exit: 2 }],
  ]),
];
