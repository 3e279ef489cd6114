import { isObject, type JsonObject, parseObject, spelled } from "../../../pure/base/index.ts";

/** One requirement for an adapter. */
export interface AdapterCheck {
  readonly id: "starts" | "framing" | "initialize" | "session/new" | "session/update" | "session/prompt" | "exit";
  /** Null: not tested. */
  readonly ok: boolean | null;
  readonly detail: string;
}

export interface Conversation {
  /** The lines we sent. */
  readonly ours: readonly string[];
  /** The lines it printed. */
  readonly theirs: readonly string[];
  readonly status: string | null;
  readonly exitCode: number | null;
  readonly unstarted?: string;
}

/** Lists what an ACP adapter does right and wrong in one recorded turn. */
export function judgeConversation({ ours, theirs, status, exitCode, unstarted }: Conversation): readonly AdapterCheck[] {
  if (unstarted !== undefined) return [{ id: "starts", ok: false, detail: unstarted }];
  const sent = messagesIn(ours);
  const lines = theirs.filter((line) => line.trim() !== "");
  const messages = messagesIn(lines);
  const answers = new Map(messages.filter((message) => !("method" in message)).map((message) => [JSON.stringify(message["id"]), message]));
  const updates = messages.filter(({ method }) => method === "session/update");
  const noise = lines.length - messages.length;

  function answered(method: "initialize" | "session/new" | "session/prompt", field: string): AdapterCheck {
    const request = sent.find((message) => message["method"] === method);
    if (request === undefined) return { id: method, ok: null, detail: "not sent, because an earlier step failed" };
    const answer = answers.get(JSON.stringify(request["id"]));
    if (answer === undefined) return { id: method, ok: false, detail: "it did not answer" };
    const { result, error } = answer;
    if (isObject(error)) return { id: method, ok: false, detail: `it answered with an error: ${spelled(error["message"]).slice(0, 200)}` };
    const value = isObject(result) ? result[field] : undefined;
    return {
      id: method,
      ok: value !== undefined,
      detail: value === undefined ? `its answer has no ${field}` : `${field} ${JSON.stringify(value)}`,
    };
  }

  return [
    { id: "starts", ok: messages.length > 0, detail: messages.length > 0 ? `${messages.length} messages` : `it said nothing (${status})` },
    {
      id: "framing",
      ok: noise === 0,
      detail: noise === 0 ? "every line is a JSON-RPC message" : `${noise} of ${lines.length} lines are not messages`,
    },
    answered("initialize", "protocolVersion"),
    answered("session/new", "sessionId"),
    { id: "session/update", ok: updates.length > 0 ? updates.every(hasKind) : null, detail: kindsOf(updates) },
    answered("session/prompt", "stopReason"),
    {
      id: "exit",
      ok: exitCode === 0 || exitCode === null ? true : null,
      detail: exitCode === null ? "we ended it" : `exit code ${exitCode}`,
    },
  ];
}

function messagesIn(lines: readonly string[]): JsonObject[] {
  return lines.flatMap((line) => {
    const message = parseObject(line);
    return message?.["jsonrpc"] === "2.0" ? [message] : [];
  });
}

function hasKind({ params }: JsonObject): boolean {
  const update = isObject(params) ? params["update"] : undefined;
  return isObject(update) && typeof update["sessionUpdate"] === "string";
}

function kindsOf(updates: readonly JsonObject[]): string {
  const kinds = new Set(
    updates.map(({ params }) => (isObject(params) && isObject(params["update"]) ? spelled(params["update"]["sessionUpdate"]) : "?")),
  );
  return updates.length === 0 ? "none" : [...kinds].sort().join(", ");
}
