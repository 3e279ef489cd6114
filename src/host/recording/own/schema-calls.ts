import { firstWord, isObject } from "../../../pure/base/index.ts";
import type { Translated } from "../../../pure/pipeline/index.ts";

/** A tool call that a rule of a schema found. */
export interface Sighting {
  readonly item: unknown;
  readonly title: string | undefined;
  readonly status: string | undefined;
  /** The status comes from the schema, not from the agent: it says that the call ended, but not how. */
  readonly isFixed: boolean;
  readonly output: string | undefined;
}

/** Ids by priority: a result names its request before itself. */
const IDS = ["tool_use_id", "tool_call_id", "toolCallId", "call_id", "callId", "tool_id", "toolId", "id"];
const INPUTS = ["input", "arguments", "args", "parameters", "params"];

const SUCCEEDED = /^(?:completed|complete|success|succeeded|successful|ok|done|finished)$/i;
const FAILED = /^(?:failed|failure|error|errored|rejected|denied|declined|cancelled|canceled|timed_out|timeout)$/i;
const RUNNING = /^(?:in_progress|in-progress|running|executing|streaming)$/i;

/**
 * Pairs the starts and ends of a schema's `tool_call`. Schemas have no field for a call's id, so we look for its usual names in the output,
 * then for the oldest open call with the same title. An end without a start becomes a complete call.
 */
export function schemaCalls() {
  const open = new Map<string, string | undefined>(); // id → title
  let made = 0;

  function start(out: Translated[], id: string | undefined, { title }: Sighting, item: unknown): string {
    const callId = id ?? `call-${++made}`;
    open.set(callId, title);
    const input = isObject(item) ? INPUTS.map((name) => item[name]).find((value) => value !== undefined) : undefined;
    out.push({ type: "tool-start", callId, tool: title ?? "tool", input: input ?? null, operations: [], request: item });
    return callId;
  }

  /** The open call that an entry without a known id refers to. */
  function openCall(title: string | undefined): string | undefined {
    if (title !== undefined) for (const [callId, of] of open) if (of === title) return callId;
    const [only, another] = open.keys();
    return title === undefined && another === undefined ? only : undefined;
  }

  return {
    see(out: Translated[], seen: Sighting): void {
      const { item, title, status = "" } = seen;
      const id = isObject(item) ? firstWord(item, IDS) : undefined;
      const known = id !== undefined && open.has(id) ? id : undefined;
      const hasEnded = SUCCEEDED.test(status) || FAILED.test(status);
      if (!hasEnded) {
        const running = known ?? (id === undefined && RUNNING.test(status) ? openCall(title) : undefined);
        if (running === undefined) start(out, id, seen, item);
        else out.push({ type: "tool-progress", callId: running, state: status });
        return;
      }
      // An item that reports only the end may hold contents, so only its title is repeated.
      const callId = known ?? openCall(title) ?? start(out, id, seen, { title: title ?? null, status });
      open.delete(callId);
      out.push({ type: "tool-end", callId, success: successOf(seen), output: seen.output });
    },
  };
}

function successOf({ item, status = "", isFixed }: Sighting): boolean | undefined {
  const flag = isObject(item) ? (item["is_error"] ?? item["isError"]) : undefined;
  if (typeof flag === "boolean") return !flag;
  return isFixed ? undefined : SUCCEEDED.test(status);
}

/** Whether the result record itself says that the run failed. */
export function saysFailure(line: Readonly<Record<string, unknown>>): boolean {
  if (line["is_error"] === true || line["isError"] === true || line["success"] === false) return true;
  if (isObject(line["error"]) || (typeof line["error"] === "string" && line["error"] !== "")) return true;
  return [line["status"], line["subtype"]].some((word) => typeof word === "string" && (FAILED.test(word) || word.startsWith("error_")));
}
