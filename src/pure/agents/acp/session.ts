// What an agent reports about itself over the Agent Client Protocol: name, session, cost and subagents' sessions.

import { type JsonObject, numberOf, objectOf, stringOf, wordOf } from "../../base/index.ts";
import { noTokens, ownCost, type SessionUsage, type UsageBody } from "../../events/index.ts";
import type { Translated } from "../../pipeline/index.ts";
import { isClaude } from "./adapter-text.ts";

/** `before`: what the session had used before this run resumed it. */
export function acpSession(before: SessionUsage | undefined) {
  let adapter = ""; // the name the agent gave itself
  let version: string | undefined; // until emitted
  let isNamed = false; // the name is emitted
  let isDraft = false; // version 2 of the protocol
  let id: string | undefined;
  let model: string | undefined;
  let cost: number | undefined; // of the whole session, in US dollars
  let costEmitted = 0;
  let thread: "at rest" | "at work" | "failed" | undefined; // Codex's thread in this turn; undefined if its adapter does not report it
  const children = new Map<string, "running" | "idle">(); // sessions of subagents

  /** Keeps the version for the next session event, because alone it would be a session event without an id. */
  function initialized(result: JsonObject): true {
    const info = objectOf(result["agentInfo"]) ?? objectOf(result["info"]);
    isDraft = result["protocolVersion"] === 2;
    adapter = wordOf(info?.["name"]) ?? "";
    version = wordOf(info?.["version"]);
    return true;
  }

  /** What the agent said about itself, once. */
  function about(): { readonly agentName: string | undefined; readonly agentVersion: string | undefined } {
    const known = { agentName: isNamed || adapter === "" ? undefined : adapter, agentVersion: version };
    version = undefined;
    isNamed = true;
    return known;
  }

  /** Emits only changes. */
  function emit(out: Translated[], sessionId: string | undefined, newModel: string | undefined): void {
    if ((sessionId ?? id) === id && (newModel ?? model) === model) return;
    id ??= sessionId;
    model = newModel ?? model;
    out.push({ type: "session", sessionId: sessionId ?? id, model: newModel, ...about() });
  }

  /** Context size, cost and model. */
  function updated(out: Translated[], update: JsonObject): true {
    emit(out, undefined, wordOf(objectOf(update["_meta"])?.["_claude/model"]));
    const spending = objectOf(update["cost"]);
    if (spending?.["currency"] === "USD") cost = numberOf(spending["amount"]) ?? cost;
    return true;
  }

  /** A title, or what Codex's adapter reports: the state of its thread and failed model requests. */
  function informed(out: Translated[], update: JsonObject): true {
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

  /** Announces a child session, which then sends its own updates. It may get new work after it was idle. */
  function child(out: Translated[], update: JsonObject, parent: string | undefined): boolean {
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
    emit,
    updated,
    informed,
    child,
    /**
     * The tokens of a turn, and the cost since the last call. They may cover different parts: OpenCode's cost is that of all its
     * requests, its tokens are the last step's. The agent counts the cost of the whole session, and Claude that of its subagents too.
     */
    used(usage: UsageBody | undefined, more: Partial<UsageBody> = {}): readonly UsageBody[] {
      const own = ownCost(cost, before);
      if (own === undefined || own <= costEmitted) return usage === undefined ? [] : [usage];
      const costUsd = own - costEmitted;
      costEmitted = own;
      const covers = isClaude(adapter) ? "run" : "main";
      if (usage?.covers === covers) return [{ ...usage, costUsd }];
      return [...(usage === undefined ? [] : [usage]), { type: "usage", scope: "step", tokens: noTokens, costUsd, covers, ...more }];
    },
    /** Emits the version if no session will follow. */
    emitVersion(out: Translated[]): void {
      if (version !== undefined) out.push({ type: "session", ...about() });
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

export function noticed(out: Translated[], update: JsonObject, parent: string | undefined): true {
  const message = [wordOf(update["title"]), wordOf(update["description"])].filter((word) => word !== undefined).join(": ");
  const severity = update["severity"];
  if (severity === "warning" || severity === "error") out.push({ type: severity, message, parent });
  else out.push({ type: "notice", kind: "notice", message, parent });
  return true;
}

export function compacted(out: Translated[], update: JsonObject, parent: string | undefined): true {
  const status = wordOf(update["status"]);
  const message = wordOf(update["error"]) ?? "The compaction failed";
  if (status === "completed") out.push({ type: "compaction", parent });
  else if (status === "failed") out.push({ type: "warning", message, code: "compaction", parent });
  else out.push({ type: "notice", kind: "compaction", message: status, parent });
  return true;
}
