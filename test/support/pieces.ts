/** How agents print a text in pieces: one line for each, in the shape of their recordings under fixtures/. */

export interface Dialect {
  readonly name: string;
  /** The agent that reads it. */
  readonly agent: string;
  /** The line for a piece, given the text up to its end, and the thread that says it. */
  readonly line: (piece: string, soFar: string, thread: number) => object;
  /** What a reader of these lines joins. */
  readonly piece: (line: unknown) => string;
}

interface Line {
  readonly [name: string]: unknown;
}

let lines = 0;
const unique = () => `00000000-0000-4000-8000-${String(++lines).padStart(12, "0")}`;

export const dialects: readonly Dialect[] = [
  {
    name: "ACP",
    agent: "acp",
    line: (text, _, thread) => ({
      jsonrpc: "2.0",
      method: "session/update",
      params: {
        sessionId: `session-${thread}`,
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, messageId: `m${thread}` },
      },
    }),
    piece: (line) => at(line, "params", "update", "content", "text"),
  },
  {
    name: "Claude Code",
    agent: "claude",
    line: (text, _, thread) => ({
      type: "stream_event",
      event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
      session_id: "s-1",
      parent_tool_use_id: thread === 0 ? null : `toolu_${thread}`,
      uuid: unique(),
    }),
    piece: (line) => at(line, "event", "delta", "text"),
  },
  {
    name: "Claude Code, input of a call",
    agent: "claude",
    line: (partial_json, _, thread) => ({
      type: "stream_event",
      event: { type: "content_block_delta", index: thread, delta: { type: "input_json_delta", partial_json } },
      session_id: "s-1",
      parent_tool_use_id: null,
      uuid: unique(),
    }),
    piece: (line) => at(line, "event", "delta", "partial_json"),
  },
  {
    name: "Gemini",
    agent: "gemini",
    line: (content) => ({ type: "message", timestamp: new Date(1e12 + lines++).toISOString(), role: "assistant", content, delta: true }),
    piece: (line) => at(line, "content"),
  },
  {
    name: "Goose",
    agent: "goose",
    line: (text, _, thread) => ({
      type: "message",
      message: { id: `chatcmpl-${thread}`, role: "assistant", created: 1794711823, content: [{ type: "text", text }] },
    }),
    piece: (line) => at(line, "message", "content", "0", "text"),
  },
  {
    name: "Cline",
    agent: "cline",
    line: (text, accumulated) => ({
      ts: "2026-11-15T02:42:50.824Z",
      type: "agent_event",
      event: { type: "content_start", contentType: "text", text, accumulated },
    }),
    piece: (line) => at(line, "event", "text"),
  },
  {
    name: "pi",
    agent: "pi",
    line: (delta, text, thread) => ({
      type: "message_update",
      assistantMessageEvent: {
        type: "text_delta",
        contentIndex: 0,
        delta,
        partial: { role: "assistant", content: [{ type: "text", text }], responseId: `r${thread}` },
      },
      message: { role: "assistant", content: [{ type: "text", text }], responseId: `r${thread}` },
    }),
    piece: (line) => at(line, "assistantMessageEvent", "delta"),
  },
];

/** Dialects without ids: nothing distinguishes the pieces of two messages that alternate. */
export const isThreaded = ({ name }: Dialect) => !["Gemini", "Cline"].includes(name);

function at(value: unknown, ...names: readonly string[]): string {
  return names.reduce<unknown>((inner, name) => (inner as Line | undefined)?.[name], value) as string;
}

/** The text, cut at these lengths in turn. */
export function cutInto(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let from = 0, i = 0; from < text.length; i++) {
    const size = Math.max(1, sizes[i % sizes.length] ?? 1);
    pieces.push(text.slice(from, from + size));
    from += size;
  }
  return pieces;
}
