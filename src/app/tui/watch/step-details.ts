import { counted } from "../../../pure/base/index.ts";
import type { LogRecord } from "../../../pure/events/index.ts";
import type { RunState } from "../account/index.ts";

/** A part of an opened step. The text comes from the agent and is not safe to print. */
export interface Detail {
  readonly label: string;
  readonly text: string;
}

/** Characters kept of one part; `harness derive` prints everything. */
const LONGEST = 64 * 1024;

/** The details of an event. Reads the state from before the event. */
export function detailsOf(record: LogRecord, state: RunState): readonly Detail[] {
  switch (record.type) {
    case "tool-end": {
      const start = state.calls.get(record.callId)?.start;
      return [
        ...(start === undefined ? [] : [detail("tool", start.tool), detail("input", inFull(start.input))]),
        ...(record.exitCode === undefined ? [] : [detail("exit code", String(record.exitCode))]),
        ...(record.output === undefined ? [] : [detail("output", record.output)]),
      ];
    }
    case "subagent-start": {
      const start = record.callId === undefined ? undefined : state.calls.get(record.callId)?.start;
      return start === undefined ? [] : [detail("input", inFull(start.input))];
    }
    case "message":
      return [detail(record.role, record.text)];
    case "reasoning":
      return [detail("reasoning", record.text)];
    case "result":
      return record.text === undefined ? [] : [detail("result", record.text)];
    case "warning":
    case "error":
      return [detail(record.type, record.message)];
    case "unknown":
      return [detail("unknown", inFull(record.raw))];
    case "run-end":
      return record.tail === undefined ? [] : [detail("last lines", record.tail)];
    default:
      return [];
  }
}

function detail(label: string, text: string): Detail {
  if (text.length <= LONGEST) return { label, text };
  return { label, text: `${text.slice(0, LONGEST)}\n… ${counted(text.length - LONGEST, "more character")}` };
}

/** Text unchanged; anything else as indented JSON. */
function inFull(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
}
