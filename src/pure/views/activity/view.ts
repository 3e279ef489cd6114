import { nothing, type Translator } from "../../base/index.ts";
import {
  type BodyOf,
  type Call,
  type Ending,
  type Event,
  type Operation,
  type RunEndBody,
  succeeded,
  type ToolStartBody,
} from "../../events/index.ts";
import { exitMessage, type View, type ViewOptions } from "../../pipeline/index.ts";
import { isoClock } from "../iso-clock.ts";
import type { Activity } from "./schema.ts";

/** An unfinished activity, with any field of any type. */
type Draft = Pick<Activity, "type" | "timestamp"> & Partial<FieldsOf<Activity>>;
type FieldsOf<T> = { [K in T extends T ? Exclude<keyof T, "type"> : never]: T extends { readonly [P in K]?: infer V } ? V : never };

export const activity: View<Activity> = {
  id: "activity",
  title: "What the agent did: messages, files, commands, errors",
  open,
};

function open(options: ViewOptions = {}): Translator<Event, Activity> {
  const iso = isoClock();
  let sessionId: string | undefined;

  /** Sets the type and the common fields. Unset fields are left out. */
  function begin(type: Activity["type"], at: number, parent: string | undefined): Draft {
    const draft: Draft = { type, timestamp: iso(at) };
    if (sessionId !== undefined) draft.sessionId = sessionId;
    if (parent !== undefined) draft.subagentId = parent;
    return draft;
  }

  function push({ at, body, call }: Event): readonly Activity[] {
    switch (body.type) {
      case "session":
        sessionId ??= body.sessionId;
        return nothing;
      case "message":
        if (body.raw !== undefined) return [unknown(at, body, body.raw)];
        if (body.role !== "assistant" || body.text === "" || body.repeats) return nothing;
        return [said("agent", at, body)];
      case "reasoning":
        return options.reasoning !== true || body.text === "" ? nothing : [said("reasoning", at, body)];
      case "tool-end":
        return toolEnd(at, body, call);
      case "subagent-start":
      case "subagent-end":
        return [orchestration(at, body)];
      case "error":
      case "warning":
        return [diagnostic(at, body)];
      case "unknown":
        return [Object.assign(unknown(at, body, withoutContents(body.raw)), marks(body))];
      case "run-end":
        return runEnd(at, body);
      default:
        // Output that 000 has no type for and does not drop is repeated as the agent printed it.
        return body.raw === undefined ? nothing : [unknown(at, body, body.raw)];
    }
  }

  function said(type: "agent" | "reasoning", at: number, { text, parent }: { readonly text: string; readonly parent?: string }): Activity {
    const out = begin(type, at, parent);
    out.message = text;
    return out as Activity;
  }

  function unknown(at: number, { parent }: { readonly parent?: string }, raw: unknown): Activity {
    const out = begin("unknown", at, parent);
    out.raw = raw;
    return out as Activity;
  }

  /** A call is reported when it ends, with its request and its outcome. */
  function toolEnd(at: number, end: BodyOf<"tool-end">, call: Call | undefined): readonly Activity[] {
    if (call === undefined) return end.raw === undefined ? nothing : [unknown(at, end, end.raw)];
    const start = call.start.body;
    if (call.rivals.length > 0) {
      const ambiguous = [call.start, ...call.rivals].map(({ body }) => requestOf(body));
      return [unknown(at, start, { callId: end.callId, ambiguous })];
    }
    if (start.silent) return nothing;
    const operations = end.operations ?? start.operations;
    if (operations.length > 0) {
      return operations.map((operation, i) => {
        const own = end.endings?.[i];
        return own === undefined
          ? operated(at, operation, start.parent, end, operations)
          : operated(at, operation, start.parent, own, [operation]);
      });
    }
    return call.orchestrated ? nothing : [unknown(at, start, end.raw ?? requestOf(start))];
  }

  /** `all`: the operations that share this ending. */
  function operated(at: number, operation: Operation, parent: string | undefined, ending: Ending, all: readonly Operation[]): Activity {
    const out = begin(operation.kind, at, parent);
    describe(out, operation);
    if (operation.kind === "command" && ending.exitCode !== undefined) out.exitCode = ending.exitCode;
    const success = succeeded(operation, ending, all);
    if (success !== undefined) out.isSuccess = success;
    return out as Activity;
  }

  function orchestration(at: number, body: BodyOf<"subagent-start"> | BodyOf<"subagent-end">): Activity {
    const success = body.type === "subagent-start" ? undefined : body.success;
    const out = begin("orchestration", at, body.subagentId);
    out.action = body.type === "subagent-start" ? "subagent_started" : success === false ? "subagent_failed" : "subagent_completed";
    if (body.name !== undefined) out.subagentName = body.name;
    if (success !== undefined) out.isSuccess = success;
    return out as Activity;
  }

  function diagnostic(at: number, { type, message, code, parent }: BodyOf<"error"> | BodyOf<"warning">): Activity {
    const out = begin(type, at, parent);
    out.message = message;
    if (code !== undefined) out.code = code;
    return out as Activity;
  }

  /** A non-zero exit, a signal or a timeout ends the stream with one error that carries the last lines the agent printed. */
  function runEnd(at: number, body: RunEndBody): readonly Activity[] {
    const message = exitMessage(body);
    return message === undefined ? nothing : [diagnostic(at, { type: "error", message, code: "process_error" })];
  }

  return { push, end: () => nothing };
}

/** The request as the agent printed it, never the result. */
function requestOf({ request, tool, input }: ToolStartBody): unknown {
  return request ?? { tool, input };
}

/** Copies an operation's fields under the names of specification 000, without unset ones. */
function describe(out: Draft, operation: Operation): void {
  switch (operation.kind) {
    case "read":
    case "write":
      out.path = operation.path;
      if (isLine(operation.startLine)) out.startLine = operation.startLine;
      if (isLine(operation.endLine)) out.endLine = operation.endLine;
      break;
    case "search":
      out.query = operation.query;
      if (operation.path !== undefined) out.path = operation.path;
      break;
    case "list":
      if (operation.path !== undefined) out.path = operation.path;
      break;
    case "command":
      out.command = operation.command;
      if (operation.workingDirectory !== undefined) out.workingDirectory = operation.workingDirectory;
      break;
    case "skill":
      out.path = operation.path;
      if (operation.skillName !== undefined) out.skillName = operation.skillName;
      break;
  }
}

/** A valid line number; an agent may ask for any. */
function isLine(line: number | undefined): line is number {
  return line !== undefined && Number.isSafeInteger(line) && line > 0;
}

/** The beginning of a torn or oversize line, up to where contents may begin. */
function withoutContents(raw: unknown): unknown {
  if (typeof raw !== "string" || !raw.startsWith("{")) return raw;
  const at = raw.search(/"(content|tool_use_result|aggregated_output|result|text|stdout|output)"\s*:/);
  return at < 0 ? raw : `${raw.slice(0, at)}…`;
}

function marks({ truncated, oversize, encoding }: BodyOf<"unknown">): object {
  return { ...(truncated && { truncated }), ...(oversize && { oversize }), ...(encoding && { encoding }) };
}
