import type { BodyOf, Event, RunEndBody, ToolEndBody, ToolStartBody } from "../core/event.ts";
import { type Operation, succeeded } from "../core/operation.ts";
import { nothing, type Translator } from "../core/translator.ts";
import type { View, ViewOptions } from "../core/view.ts";
import { isoClock } from "./iso-clock.ts";

export const ACTIVITY_VERSION = "1.0";

interface Common {
  timestamp: string;
  sessionId?: string;
  /** The subagent whose work this is; on `orchestration`, the subagent it is about. */
  subagentId?: string;
}

/** The activity events of specification 000. Never contents: no file text, no command output, no search result. */
export type Activity = Common &
  (
    | { type: "agent"; message: string }
    | { type: "reasoning"; message: string }
    | { type: "command"; command: string; workingDirectory?: string; exitCode?: number; isSuccess?: boolean }
    | { type: "read" | "write"; path: string; startLine?: number; endLine?: number; isSuccess?: boolean }
    | { type: "search"; query: string; path?: string; isSuccess?: boolean }
    | { type: "list"; path?: string; isSuccess?: boolean }
    | { type: "skill"; path: string; skillName?: string; isSuccess?: boolean }
    | { type: "orchestration"; action: OrchestrationAction; subagentName?: string; isSuccess?: boolean }
    | { type: "error" | "warning"; message: string; code?: string }
    | { type: "unknown"; raw: unknown; truncated?: true; oversize?: true; encoding?: "base64" }
  );

type OrchestrationAction = "subagent_started" | "subagent_completed" | "subagent_failed";

/** A call that has started and not ended. */
interface OpenCall {
  readonly start: ToolStartBody & { readonly parent?: string };
  /** Further calls under the same id: which of them a result belongs to cannot be told. */
  rivals?: ToolStartBody[];
  /** Its meaning was told as orchestration. */
  orchestrated: boolean;
}

export const activity: View<Activity> = {
  id: "activity",
  title: "What the agent did: specification 000's activity events",
  open,
};

function open(options: ViewOptions = {}): Translator<Event, Activity> {
  const calls = new Map<string, OpenCall>();
  const iso = isoClock();
  let sessionId: string | undefined;

  /** The discriminator and the common fields; what belongs to the type is added to it. An unset field is left out. */
  function begin<T extends string>(type: T, at: number, parent: string | undefined): Common & { type: T } {
    const fields: Common & { type: T } = { type, timestamp: iso(at) };
    if (sessionId !== undefined) fields.sessionId = sessionId;
    if (parent !== undefined) fields.subagentId = parent;
    return fields;
  }

  function push({ at, body }: Event): readonly Activity[] {
    switch (body.type) {
      case "session":
        sessionId ??= body.sessionId;
        return nothing;
      case "message":
        if (body.raw !== undefined) return [unknown(at, body, body.raw)];
        if (body.role !== "assistant" || body.text === "" || body.repeats) return nothing;
        return [Object.assign(begin("agent", at, body.parent), { message: body.text })];
      case "reasoning":
        if (options.reasoning !== true || body.text === "") return nothing;
        return [Object.assign(begin("reasoning", at, body.parent), { message: body.text })];
      case "tool-start":
        return toolStart(body);
      case "tool-end":
        return toolEnd(at, body);
      case "subagent-start":
      case "subagent-end":
        return [orchestration(at, body)];
      case "error":
      case "warning":
        return [diagnostic(at, body)];
      case "unknown":
        return [Object.assign(unknown(at, body, body.raw), marks(body))];
      case "run-end":
        return runEnd(at, body);
      default:
        // What 000 has no word for and does not consume is repeated in the agent's own words.
        return body.raw === undefined ? nothing : [unknown(at, body, body.raw)];
    }
  }

  function unknown(at: number, { parent }: { readonly parent?: string }, raw: unknown): Activity {
    return Object.assign(begin("unknown", at, parent), { raw });
  }

  function toolStart(start: OpenCall["start"]): readonly Activity[] {
    const rival = calls.get(start.callId);
    if (rival === undefined) calls.set(start.callId, { start, orchestrated: false });
    else (rival.rivals ??= []).push(start);
    return nothing;
  }

  function toolEnd(at: number, end: BodyOf<"tool-end">): readonly Activity[] {
    const call = calls.get(end.callId);
    if (call === undefined) return end.raw === undefined ? nothing : [unknown(at, end, end.raw)];
    calls.delete(end.callId);
    const { start, rivals } = call;
    if (rivals !== undefined) return [unknown(at, start, { callId: end.callId, ambiguous: [start, ...rivals].map(requestOf) })];
    if (start.silent) return nothing;
    const operations = end.operations ?? start.operations;
    if (operations.length > 0) return operations.map((operation) => operated(at, operation, start, end));
    return call.orchestrated ? nothing : [unknown(at, start, end.raw ?? requestOf(start))];
  }

  function operated(at: number, operation: Operation, { parent }: OpenCall["start"], end: ToolEndBody): Activity {
    const out = Object.assign(begin(operation.kind, at, parent), fieldsOf(operation)) as Activity & { exitCode?: number; isSuccess?: boolean };
    if (operation.kind === "command" && end.exitCode !== undefined) out.exitCode = end.exitCode;
    const success = succeeded(operation, end);
    if (success !== undefined) out.isSuccess = success;
    return out;
  }

  function orchestration(at: number, body: BodyOf<"subagent-start"> | BodyOf<"subagent-end">): Activity {
    const call = body.callId === undefined ? undefined : calls.get(body.callId);
    if (call !== undefined) call.orchestrated = true;
    const success = body.type === "subagent-start" ? undefined : body.success;
    const action = body.type === "subagent-start" ? "subagent_started" : success === false ? "subagent_failed" : "subagent_completed";
    const out: Activity = Object.assign(begin("orchestration", at, body.subagentId), { action } as const);
    if (body.name !== undefined) out.subagentName = body.name;
    if (success !== undefined) out.isSuccess = success;
    return out;
  }

  function diagnostic(at: number, { type, message, code, parent }: BodyOf<"error"> | BodyOf<"warning">): Activity {
    const out = Object.assign(begin(type, at, parent), { message });
    return code === undefined ? out : Object.assign(out, { code });
  }

  /** A non-zero exit, a signal or a timeout ends the stream with one error that carries the agent's own last words. */
  function runEnd(at: number, body: RunEndBody): readonly Activity[] {
    const message = exitMessage(body);
    return message === undefined ? nothing : [diagnostic(at, { type: "error", message, code: "process_error" })];
  }

  return { push, end: () => nothing };
}

/** What a process that did not simply exit 0 left to say; undefined when there is nothing to report. */
export function exitMessage(end: RunEndBody): string | undefined {
  const how = howItEnded(end);
  if (how === undefined) return undefined;
  return end.tail === undefined ? how : `${how}: ${end.tail}`;
}

function howItEnded({ status, signal, exitCode }: RunEndBody): string | undefined {
  if (status === "timed_out") return "Agent process timed out";
  if (status === "hung") return "Agent process printed nothing for too long";
  if (signal !== null) return `Agent process was ended by ${signal}`;
  if (exitCode !== null && exitCode !== 0) return `Agent process exited with code ${exitCode}`;
  return undefined;
}

/** What was asked, in the agent's words: never what came of it. */
function requestOf({ request, tool, input }: ToolStartBody): unknown {
  return request ?? { tool, input };
}

/** An operation's own fields under the document's names, unset ones left out. */
function fieldsOf(operation: Operation): object {
  switch (operation.kind) {
    case "read":
    case "write": {
      const { path, startLine, endLine } = operation;
      if (startLine === undefined) return { path };
      return endLine === undefined ? { path, startLine } : { path, startLine, endLine };
    }
    case "search":
      return operation.path === undefined ? { query: operation.query } : { query: operation.query, path: operation.path };
    case "list":
      return operation.path === undefined ? {} : { path: operation.path };
    case "command": {
      const { command, workingDirectory } = operation;
      return workingDirectory === undefined ? { command } : { command, workingDirectory };
    }
    case "skill":
      return operation.skillName === undefined ? { path: operation.path } : { path: operation.path, skillName: operation.skillName };
  }
}

function marks({ truncated, oversize, encoding }: BodyOf<"unknown">): object {
  return { ...(truncated && { truncated }), ...(oversize && { oversize }), ...(encoding && { encoding }) };
}
