import { nothing, type Translator } from "../../base/index.ts";
import { anyTokens, type BodyOf, type Event, noTokens, type RunEndBody, type Tokens, tokensSince } from "../../events/index.ts";
import { exitMessage, runSummary, type View, type ViewOptions } from "../../pipeline/index.ts";
import { STREAM_VERSION, type StreamRecord } from "./schema.ts";

export const stream: View<StreamRecord> = {
  id: "stream",
  title: "What happens, as it happens, with text in small pieces",
  open,
};

/**
 * Exactly one `SessionStart` first, exactly one `Result` last. The deltas since the main thread's last assistant message always
 * concatenate to the next one: text that a retry discarded is closed by a `Message` marked `partial`.
 */
function open(options: ViewOptions = {}): Translator<Event, StreamRecord> {
  const run = runSummary();
  let start: BodyOf<"run-start"> | undefined;
  let startedAt: number | undefined;
  let session: BodyOf<"session"> | undefined;
  let opened = false;
  let prompt: string | undefined; // until the agent has echoed it
  let spoken = ""; // deltas not yet closed by a message
  let spokenId: string | undefined;
  let answered = false; // the main thread has produced text
  let reported: Tokens = noTokens;

  function sessionStart(out: StreamRecord[], at: number): void {
    opened = true;
    const timestamp_ms = startedAt ?? at;
    out.push({
      type: "SessionStart",
      timestamp_ms,
      session_id: session?.sessionId ?? null,
      agent: start?.agent ?? "unknown",
      model: session?.model ?? start?.model ?? null,
      cwd: session?.cwd ?? start?.cwd ?? null,
      schema_version: STREAM_VERSION,
    });
    if (start?.prompt !== undefined) out.push({ type: "Message", timestamp_ms, role: "user", text: start.prompt });
  }

  function delta(out: StreamRecord[], at: number, body: BodyOf<"text-delta">): void {
    if (body.parent !== undefined) return; // a subagent's text comes only as complete messages: several may speak in parallel
    if (spoken !== "" && body.messageId !== spokenId) closePartial(out, at);
    spokenId = body.messageId;
    spoken += body.text;
    out.push({ type: "TextDelta", timestamp_ms: at, text: body.text });
  }

  function closePartial(out: StreamRecord[], at: number): void {
    if (spoken === "") return;
    out.push({ type: "Message", timestamp_ms: at, role: "assistant", text: spoken, partial: true });
    spoken = "";
    answered = true;
  }

  function message(out: StreamRecord[], at: number, { role, text, parent, repeats, partial }: BodyOf<"message">): void {
    if (role === "user" && parent === undefined && text === prompt) {
      prompt = undefined; // the agent's echo of the prompt
      return;
    }
    if (text === "") return;
    const cut = partial ? { partial } : {};
    if (parent !== undefined || role !== "assistant") {
      if (parent === undefined) closePartial(out, at);
      if (role === "assistant") out.push({ type: "TextDelta", timestamp_ms: at, text, ...whose(parent) });
      out.push({ type: "Message", timestamp_ms: at, role, text, ...cut, ...whose(parent) });
      return;
    }
    if (repeats && spoken === "") return;
    const isPart = text !== spoken && spoken.startsWith(text); // the deltas are ahead of it
    if (!isPart && !text.startsWith(spoken)) closePartial(out, at);
    const rest = isPart ? "" : text.slice(spoken.length);
    if (rest !== "") out.push({ type: "TextDelta", timestamp_ms: at, text: rest });
    spoken = isPart ? spoken.slice(text.length) : "";
    answered = true;
    out.push({ type: "Message", timestamp_ms: at, role, text, ...cut });
  }

  function toolStart(out: StreamRecord[], at: number, { callId, tool, input, parent }: BodyOf<"tool-start">): void {
    const text = JSON.stringify(input) ?? "null";
    out.push({ type: "ToolStart", timestamp_ms: at, call_id: callId, tool_name: tool, input: text, ...whose(parent) });
  }

  function toolEnd(out: StreamRecord[], { at, call }: Event, { callId, success, output, interrupted, parent }: BodyOf<"tool-end">): void {
    const tool_name = call?.start.body.tool ?? "unknown";
    const verdict = interrupted ? false : (success ?? null);
    out.push({ type: "ToolEnd", timestamp_ms: at, call_id: callId, tool_name, success: verdict, output: output ?? "", ...whose(parent) });
  }

  function usage(out: StreamRecord[], at: number, { covers = "main", incomplete }: BodyOf<"usage">): void {
    const now = run.used.tokens;
    const added = tokensSince(reported, now);
    reported = now;
    if (anyTokens(added)) out.push({ type: "UsageDelta", timestamp_ms: at, usage: added, covers, ...(incomplete && { incomplete }) });
  }

  function error(out: StreamRecord[], at: number, { message, code, parent }: Pick<BodyOf<"error">, "message" | "code" | "parent">): void {
    out.push({ type: "Error", timestamp_ms: at, message, ...(code === undefined ? {} : { code }), ...whose(parent) });
  }

  function runEnd(out: StreamRecord[], at: number, body: RunEndBody): void {
    closePartial(out, at);
    const gone = exitMessage(body);
    if (gone !== undefined) error(out, at, { message: gone, code: "process_error" });
    const { status, output, durationMs, cost, sessionId, usage, partialUsage, partialCost } = run.summary();
    // Structured output and single-document modes put the answer only in the result; it becomes a message.
    if (!answered && output !== null) message(out, at, { type: "message", role: "assistant", text: output });
    out.push({
      type: "Result",
      timestamp_ms: at,
      success: status === "completed",
      status,
      text: output,
      duration_ms: durationMs,
      total_cost_usd: cost,
      session_id: sessionId,
      usage,
      ...(partialUsage && { partial_usage: partialUsage }),
      ...(partialCost && { partial_cost: { covers: partialCost.covers, complete: partialCost.complete, cost_usd: partialCost.costUsd } }),
    });
  }

  /** Events that 001 has no type for (reasoning, plans, warnings, unknown lines …) are left to the other views. */
  function project(out: StreamRecord[], event: Event): void {
    const { at, body } = event;
    switch (body.type) {
      case "text-delta":
        return body.parent === undefined ? delta(out, at, body) : undefined; // a subagent's text comes with its message
      case "message":
        return message(out, at, body);
      case "tool-start":
        return toolStart(out, at, body);
      case "tool-end":
        return toolEnd(out, event, body);
      case "usage":
        return usage(out, at, body);
      case "error":
        return error(out, at, body);
      case "run-end":
        return runEnd(out, at, body);
    }
  }

  /**
   * `SessionStart` waits for the agent's session id until another record is due. If model and directory are not known otherwise, it also
   * waits for the line with them: with a start hook, Claude Code prints its id earlier.
   */
  function begin(out: StreamRecord[], event: Event): void {
    if (event.body.type === "session") {
      session = { ...session, ...known(event.body) };
      if (session.model !== undefined || start?.cwd !== undefined) sessionStart(out, event.at);
      return;
    }
    const rest: StreamRecord[] = [];
    project(rest, event);
    if (rest.length === 0) return;
    sessionStart(out, event.at);
    out.push(...rest);
  }

  return {
    push(event) {
      run.see(event);
      const { body, at } = event;
      if (body.type === "run-start") {
        start = body;
        startedAt = at;
        prompt = body.prompt;
        return nothing;
      }
      const out: StreamRecord[] = [];
      if (!opened) begin(out, event);
      else project(out, event);
      return options.case === "snake" ? out.map(snake) : out;
    },
    end: () => nothing,
  };
}

/** Only the fields that are set, so that a later line adds to an earlier one and removes nothing. */
function known<T extends object>(body: T): T {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as T;
}

function whose(parent: string | undefined): { subagent_id?: string } {
  return parent === undefined ? {} : { subagent_id: parent };
}

function snake(record: StreamRecord): StreamRecord {
  const type = record.type.replace(/(?<!^)[A-Z]/g, "_$&").toLowerCase();
  return { ...record, type } as unknown as StreamRecord;
}
