// A tool call of the Agent Client Protocol, from its first mention to its end.

import { arrayOf, fewMap, isObject, type JsonObject, nothing, objectOf, wordOf } from "../../base/index.ts";
import type { Operation } from "../../events/index.ts";
import type { RunContext, Translated } from "../../pipeline/index.ts";
import { classifier, placedClassifier } from "../../shell/index.ts";
import { recentIds } from "../recent-ids.ts";
import { isGemini, refusalOf } from "./adapter-text.ts";
import type { AcpCall } from "./call.ts";
import { endingOf } from "./ending.ts";
import * as fields from "./fields.ts";
import { acpSubagents } from "./subagents.ts";
import { type Effect, effectOf, shortName, workspaceIn } from "./tools.ts";

const OVER = new Set<string | undefined>(["completed", "failed", "cancelled", "canceled"]);

/** To-do lists the agent keeps for itself. Specification 000 does not count Goose's as activity. */
const TODO_TOOLS = new Set(["todowrite", "todo_write", "write_todos", "update_plan"]);
const SILENT = /^todo(__|_write$|_read$)/;

/** Claude Code prints this when a `cd` left the directories it may work in. */
const RESET = /\nShell cwd was reset to (.+)$/;

/** Only the fact that the call ran shows that it was permitted. */
const RULE = "permission-from-result";

/** Gemini asked for permission and never ran the call. */
const NOT_RUN = "asked-and-not-run";

export function acpCalls(run: RunContext, adapter: () => string) {
  const open = fewMap<string, AcpCall>();
  const waiting = fewMap<string, AcpCall>(); // mentioned but not emitted: the request may still grow
  const unanswered = new Set<AcpCall>(); // asked for permission, and not mentioned since
  const ended = recentIds();
  const subagents = acpSubagents();
  const shell = { classify: classifier(), classifyIn: placedClassifier() };
  let root = run.cwd; // the workspace
  let isDenied = false; // the last call to end was denied
  let here: string | undefined | null = null; // the directory of Claude Code's shell; null: the workspace

  /** Handles `tool_call` and `tool_call_update`. Returns false if the id is missing. */
  function update(out: Translated[], line: JsonObject, isUpdate: boolean, parent: string | undefined): boolean {
    const callId = wordOf(line["toolCallId"]);
    if (callId === undefined) return false;
    const status = wordOf(line["status"]);
    const known = open.get(callId);
    if (known === undefined && isUpdate && ended.has(callId)) {
      out.push({ type: "tool-progress", callId, state: status, parent }); // already ended: a denial, a background command
      return true;
    }
    const call = known ?? mention(callId, line, parent);
    if (unanswered.size > 0) unanswered.delete(call);
    settle(out, call);
    merge(call, line);
    if (OVER.has(status)) end(out, call, line, status === "completed");
    else if (call.emitted !== undefined) progress(out, call, line, status);
    else if (isReady(call, status, isUpdate)) {
      emit(out, call);
      if (status === "in_progress") subagents.start(out, call);
    }
    return true;
  }

  /**
   * Whether a request is complete: it runs, or it came in one piece. Claude sends a request field by field over several updates;
   * it is complete when another line arrives.
   */
  function isReady({ input }: AcpCall, status: string | undefined, isUpdate: boolean): boolean {
    return (status !== undefined && status !== "pending") || (!isUpdate && fields.hasContent(input));
  }

  /** A line from a subagent proves that the call that started it is running. */
  function attribute(out: Translated[], parent: string | undefined): void {
    const call = parent === undefined ? undefined : open.get(parent);
    if (call === undefined) return;
    if (call.emitted === undefined) emit(out, call);
    subagents.start(out, call);
  }

  /** Another line arrived, so every waiting request is complete. */
  function settle(out: Translated[], except?: AcpCall): void {
    if (waiting.size() === 0) return;
    for (const call of waiting.values()) if (call !== except && fields.hasContent(call.input)) emit(out, call);
  }

  /** No more lines will come: emit the waiting calls with what is known. */
  function settleAll(out: Translated[], rule?: string): void {
    for (const call of waiting.values()) emit(out, call, rule);
  }

  /** A permission request may be the only mention of a call. If its kind differs, it asks about only a part of the call. */
  function permission(out: Translated[], asked: JsonObject, parent: string | undefined): void {
    const callId = wordOf(asked["toolCallId"]);
    if (callId === undefined) {
      settle(out);
      out.push({ type: "permission-request", tool: wordOf(asked["name"]) ?? wordOf(asked["kind"]), parent });
      return;
    }
    const call = open.get(callId) ?? mention(callId, asked, parent);
    settle(out, call);
    if (call.emitted === undefined || call.kind === asked["kind"]) merge(call, asked);
    if (call.emitted === undefined) emit(out, call);
    call.asked = true;
    unanswered.add(call);
    out.push({ type: "permission-request", callId, tool: call.emitted?.tool, parent: call.parent });
  }

  /**
   * Gemini's model speaks again, so all calls of its last answer are over. A permitted call reports its end; an unreported one
   * was denied.
   */
  function modelSpoke(out: Translated[]): void {
    if (unanswered.size === 0 || !isGemini(adapter())) return;
    for (const { callId, parent, emitted, decided } of unanswered) {
      open.delete(callId);
      ended.add(callId);
      if (decided !== "deny")
        out.push({ type: "permission-decision", callId, tool: emitted?.tool, decision: "deny", rule: NOT_RUN, parent });
      out.push({ type: "tool-end", callId, success: false, rule: NOT_RUN, parent });
    }
    unanswered.clear();
  }

  /** Records our own answer, so that nothing has to be inferred from later lines. */
  function decide(callId: string | undefined, decision: "allow" | "deny"): void {
    const call = callId === undefined ? undefined : open.get(callId);
    if (call !== undefined) call.decided = decision;
  }

  // state ─────────────────────────────────────────────────────────────────────

  /** OpenCode and Kilo send the tool's name as title before the request. Gemini has it only in the id. */
  function mention(callId: string, line: JsonObject, parent: string | undefined): AcpCall {
    const call: AcpCall = {
      callId,
      parent,
      first: run.here,
      since: run.at,
      last: run.here,
      name: undefined,
      key: "",
      kind: undefined,
      title: undefined,
      input: undefined,
      locations: nothing,
      written: nothing,
      explanation: undefined,
      response: undefined,
      isClaudes: false,
      output: "",
      asked: false,
      decided: undefined,
      emitted: undefined,
    };
    rename(call, fields.nameInId(callId, isGemini(adapter())) ?? fields.nameInFirstUpdate(line));
    open.set(callId, call);
    waiting.set(callId, call);
    return call;
  }

  function rename(call: AcpCall, name: string | undefined): void {
    if (name === undefined || name === call.name) return;
    call.name = name;
    call.key = shortName(name);
  }

  function merge(call: AcpCall, line: JsonObject): void {
    const input = line["rawInput"];
    const content = line["content"];
    rename(call, fields.nameOf(line) ?? (call.name === undefined ? fields.nameInFirstUpdate(line) : undefined));
    call.kind = wordOf(line["kind"]) ?? call.kind;
    call.title = wordOf(line["title"]) ?? call.title;
    call.locations = arrayOf(line["locations"]) ?? call.locations;
    if (fields.hasContent(input)) {
      call.input = input;
      call.last = run.here;
      if (call.title === "invalid" && isObject(input) && wordOf(input["tool"]) !== undefined) rename(call, "invalid"); // OpenCode's name for a call it cannot read
    } else call.input ??= input ?? undefined;
    if (content !== undefined) {
      const written = fields.diffsOf(content);
      if (written.length > 0) call.written = written;
      if (call.emitted === undefined) call.explanation = fields.textOf(content) ?? call.explanation;
    }
    const meta = objectOf(line["_meta"]);
    if (meta === undefined) return;
    const claude = objectOf(meta["claudeCode"]);
    call.isClaudes ||= claude !== undefined;
    call.response = objectOf(claude?.["toolResponse"]) ?? call.response;
    call.output += fields.outputPiece(meta);
  }

  /**
   * If a permission request introduced the call, its name may still be unknown; the kind stands in. A one-word title is a name
   * (specification 004), but a command's title may be the command.
   */
  function toolOf({ name, kind, title }: AcpCall): string {
    const named = kind === "execute" ? undefined : fields.nameInTitle(title);
    return name ?? named ?? kind ?? fields.nameInTitle(title) ?? "tool";
  }

  /** The effect as far as the request shows it, corrected by the result. */
  function effect(call: AcpCall, metadata: JsonObject, output: string | undefined): Effect {
    const { callId, key, kind, title, written, explanation } = call;
    const input = objectOf(call.input) ?? fields.NOTHING;
    const locations = fields.placesOf(call.locations);
    const facts = { callId, tool: key, kind, title, input, locations, written, explanation, metadata, output };
    root ??= workspaceIn(facts);
    return effectOf(facts, call.isClaudes && call.parent === undefined && here !== null ? here : root, shell);
  }

  // events ────────────────────────────────────────────────────────────────────

  function emit(out: Translated[], call: AcpCall, rule?: string): void {
    waiting.delete(call.callId);
    const tool = toolOf(call);
    const { operations, directory } = effect(call, fields.NOTHING, undefined);
    call.emitted = { tool, operations, directory };
    const { callId, parent, first, last } = call;
    const since = call.since < run.at ? call.since : undefined;
    const input = call.input ?? null; // nothing stands in for a request that the agent did not send
    const { title } = call;
    const unnamed = call.name === undefined && title !== undefined && tool !== title ? (true as const) : undefined;
    const silent = SILENT.test(tool) ? (true as const) : undefined;
    const from = [...new Set([first, last, run.here])]; // the line that shows that the request is complete
    const request = fields.requestOf(call);
    out.push({ type: "tool-start", callId, tool, title, unnamed, input, operations, request, silent, parent, since, rule, from });
    const plan = TODO_TOOLS.has(call.key) ? fields.planOf(todosOf(call.input)) : undefined;
    if (plan !== undefined) out.push({ type: "plan", ...plan, parent });
  }

  function progress(out: Translated[], call: AcpCall, line: JsonObject, status: string | undefined): void {
    const message = subagents.progress(out, call, line);
    const parent = message === undefined ? call.parent : call.callId;
    out.push({ type: "tool-progress", callId: call.callId, message, state: status, parent });
  }

  function end(out: Translated[], call: AcpCall, line: JsonObject, isCompleted: boolean): void {
    if (call.emitted === undefined) emit(out, call);
    const { callId, parent, response, decided } = call;
    open.delete(callId);
    ended.add(callId);
    const output = fields.outputOf(line) ?? (call.output === "" ? undefined : call.output);
    const { success, exitCode } = endingOf(call, line, isCompleted && !subagents.hasFailed(callId), output);
    const refusal = success === false && exitCode === undefined ? refusalOf(output, response) : undefined;
    const tool = call.emitted?.tool;
    isDenied = refusal !== undefined || decided === "deny";
    if (refusal !== undefined) {
      if (decided !== "deny") out.push({ type: "permission-decision", callId, tool, decision: "deny", reason: refusal, parent });
    } else {
      if (call.asked && decided === undefined && (isCompleted || exitCode !== undefined))
        out.push({ type: "permission-decision", callId, tool, decision: "allow", rule: RULE, parent });
      subagents.end(out, call, line, success, output);
    }
    const rawOutput = fields.rawOutputOf(line);
    out.push({ type: "tool-end", callId, success, exitCode, output, rawOutput, operations: better(call, line, output), parent });
    if (call.isClaudes && parent === undefined && call.key === "bash") move(call.emitted?.directory, success, output);
  }

  /** The operations again, if the request grew after it was emitted or the result knows more. */
  function better(call: AcpCall, line: JsonObject, output: string | undefined): readonly Operation[] | undefined {
    const { operations } = effect(call, fields.metadataOf(line), output);
    return operations.length === 0 || isSame(operations, call.emitted?.operations ?? nothing) ? undefined : operations;
  }

  /** A `cd` takes effect only if its command succeeded. */
  function move(directory: string | null | undefined, success: boolean | undefined, output: string | undefined): void {
    const reset = output?.includes("Shell cwd was reset to ") ? RESET.exec(`\n${output.slice(-1000)}`)?.[1] : undefined;
    if (reset !== undefined) here = reset;
    else if (directory !== undefined && success === true) here = directory ?? undefined;
  }

  const pending = () => (waiting.size() === 0 ? undefined : waiting.values()[0]?.first);

  return {
    update,
    permission,
    decide,
    attribute,
    modelSpoke,
    settle,
    settleAll,
    pending,
    subagentFailed: subagents.fail,
    /** Whether the last call to end was denied. */
    isDenied: () => isDenied,
  };
}

function todosOf(input: unknown): unknown {
  const todos = objectOf(input);
  return arrayOf(todos?.["todos"]) ?? arrayOf(todos?.["plan"]);
}

function isSame(some: readonly Operation[], others: readonly Operation[]): boolean {
  if (some === others) return true;
  return some.length === others.length && some.every((each, i) => isSameOperation(each, others[i]));
}

function isSameOperation(one: Operation, other: Operation | undefined): boolean {
  for (const key in one) {
    const [own, others] = [one[key as keyof Operation], other?.[key as keyof Operation]];
    if (own !== others && !isShorter(own, others)) return false;
  }
  for (const key in other) if (!(key in one)) return false;
  return true;
}

/** Whether `path` is `whole` without its leading directories. */
function isShorter(path: unknown, whole: unknown): boolean {
  return typeof path === "string" && typeof whole === "string" && path !== "" && whole.endsWith(`/${path}`);
}
