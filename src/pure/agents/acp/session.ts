// What an agent says about itself over the Agent Client Protocol: its name, its session, its cost, its subagents' sessions. Part of acp.ts.

import { type JsonObject, numberOf, objectOf, stringOf, wordOf } from "../../base/index.ts";
import type { EventBody } from "../../events/index.ts";

export function acpSession() {
  let adapter = ""; // what the agent calls itself
  let version: string | undefined; // until it is told
  let isDraft = false; // it speaks version 2
  let id: string | undefined;
  let model: string | undefined;
  let cost: number | undefined; // of the whole session, in US dollars
  let costTold = 0;
  let thread: "at rest" | "at work" | "failed" | undefined; // of Codex, in this turn; undefined where its adapter tells nothing of it
  const children = new Map<string, "running" | "idle">(); // sessions of subagents

  /** The version comes with the session: alone it would stand where a session is expected. */
  function initialized(result: JsonObject): true {
    const info = objectOf(result["agentInfo"]) ?? objectOf(result["info"]);
    isDraft = result["protocolVersion"] === 2;
    adapter = wordOf(info?.["name"]) ?? "";
    version = wordOf(info?.["version"]);
    return true;
  }

  /** Only what changed is told again. */
  function tell(out: EventBody[], sessionId: string | undefined, newModel: string | undefined): void {
    if ((sessionId ?? id) === id && (newModel ?? model) === model) return;
    id ??= sessionId;
    model = newModel ?? model;
    out.push({ type: "session", sessionId: sessionId ?? id, model: newModel, agentVersion: version });
    version = undefined;
  }

  /** How full the context is; and, beside it, what it has cost and which model it was. */
  function used(out: EventBody[], update: JsonObject): true {
    tell(out, undefined, wordOf(objectOf(update["_meta"])?.["_claude/model"]));
    const told = objectOf(update["cost"]);
    if (told?.["currency"] === "USD") cost = numberOf(told["amount"]) ?? cost;
    return true;
  }

  /** A title, or what Codex's adapter reports of its thread: its state, and requests to the model that failed. */
  function informed(out: EventBody[], update: JsonObject): true {
    const codex = objectOf(objectOf(update["_meta"])?.["codex"]);
    const status = objectOf(codex?.["threadStatus"])?.["type"];
    if (status === "active") thread = "at work";
    else if (status === "systemError") thread = "failed"; // it may be idle again before the turn ends
    const error = objectOf(codex?.["error"]);
    const details = wordOf(error?.["additionalDetails"]);
    const message = `${stringOf(error?.["message"]) ?? "A request to the model failed"}${details === undefined ? "" : ` (${details})`}`;
    if (error?.["willRetry"] === true) out.push({ type: "warning", message, code: "reconnecting" });
    else if (error !== undefined) out.push({ type: "error", message });
    const title = wordOf(update["title"]);
    if (title !== undefined) out.push({ type: "notice", kind: "session_title", message: title });
    return true;
  }

  /** A child session: announced here, and then the session of its own updates. It may be given work again. */
  function child(out: EventBody[], update: JsonObject, parent: string | undefined): boolean {
    const subagentId = wordOf(update["sessionId"]);
    if (subagentId === undefined) return false;
    const name = wordOf(update["title"]);
    const activity = objectOf(update["state"]);
    const before = children.get(subagentId);
    const now = activity?.["state"] === "idle" ? "idle" : activity === undefined ? (before ?? "running") : "running";
    children.set(subagentId, now);
    if (now === before) return true;
    if (before !== "running") out.push({ type: "subagent-start", subagentId, name, description: wordOf(update["description"]), parent });
    if (now === "running") return true;
    const reason = wordOf(activity?.["stopReason"]);
    out.push({ type: "subagent-end", subagentId, name, success: reason === undefined ? undefined : reason === "end_turn", parent });
    return true;
  }

  return {
    initialized,
    tell,
    used,
    informed,
    child,
    /** What came on top of the cost since the last time. */
    spent(): number | undefined {
      if (cost === undefined) return undefined;
      const added = Math.max(0, cost - costTold);
      costTold = cost;
      return added;
    },
    /** Where there will be no session to tell it with. */
    tellVersion(out: EventBody[]): void {
      if (version !== undefined) out.push({ type: "session", agentVersion: version });
      version = undefined;
    },
    isChild: (sessionId: string) => children.size > 0 && children.has(sessionId),
    get adapter(): string {
      return adapter;
    },
    get isDraft(): boolean {
      return isDraft;
    },
    get id(): string | undefined {
      return id;
    },
    get thread() {
      return thread;
    },
    turnEnded(): void {
      if (thread !== undefined) thread = "at rest";
    },
  };
}

/** A `notice` of the agent's, of the severity that it says. */
export function noticed(out: EventBody[], update: JsonObject, parent: string | undefined): true {
  const message = [wordOf(update["title"]), wordOf(update["description"])].filter((word) => word !== undefined).join(": ");
  const severity = update["severity"];
  if (severity === "warning" || severity === "error") out.push({ type: severity, message, parent });
  else out.push({ type: "notice", kind: "notice", message, parent });
  return true;
}

/** A compaction is told when it is done. */
export function compacted(out: EventBody[], update: JsonObject, parent: string | undefined): true {
  const status = wordOf(update["status"]);
  const message = wordOf(update["error"]) ?? "The compaction failed";
  if (status === "completed") out.push({ type: "compaction", parent });
  else if (status === "failed") out.push({ type: "warning", message, code: "compaction", parent });
  else out.push({ type: "notice", kind: "compaction", message: status, parent });
  return true;
}
