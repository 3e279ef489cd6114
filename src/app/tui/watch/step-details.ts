import { counted } from "../../../pure/base/index.ts";
import type { LogRecord } from "../../../pure/events/index.ts";
import type { RunState } from "../account/index.ts";

/** A part of what a step has to show when it is opened. The text is as hostile as its agent. */
export interface Detail {
  readonly label: string;
  readonly text: string;
}

/** Characters that are kept of one part; `harness derive` has all of it. */
const LONGEST = 64 * 1024;

/** What lies behind the rows of an event; read before the state has seen it. */
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
      return record.tail === undefined ? [] : [detail("last words", record.tail)];
    default:
      return [];
  }
}

function detail(label: string, text: string): Detail {
  if (text.length <= LONGEST) return { label, text };
  return { label, text: `${text.slice(0, LONGEST)}\n… ${counted(text.length - LONGEST, "more character")}` };
}

/** Text as it is; anything else as JSON with a line for each field. */
function inFull(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
}
