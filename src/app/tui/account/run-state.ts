import { clipped, textTail } from "../../../pure/base/index.ts";
import type { BodyOf, EventType, LogRecord } from "../../../pure/events/index.ts";
import { runSummary } from "../../../pure/pipeline/index.ts";
import { crew, type Subagent } from "./crew.ts";

export type RecordOf<T extends EventType> = LogRecord & BodyOf<T>;

export interface OpenCall {
  readonly start: RecordOf<"tool-start">;
  /** Its start, on the clock of the screen. */
  readonly since: number;
  /** A plan or a subagent has rows, so the call needs none. */
  hasOwnRows: boolean;
  denied: boolean;
  progress: string;
}

export interface Speech {
  readonly key: string;
  readonly thinking: boolean;
  readonly tail: ReturnType<typeof textTail>;
}

/** Characters kept of an incomplete message: more than a row shows. */
const SPEECH = 1000;

const SILENT: ReadonlySet<EventType> = new Set(["text-delta", "reasoning-delta", "tool-start", "tool-progress", "usage", "result"]);
const MOST_RECENT = 24;
const LONGEST_RECENT = 8 * 1024;

export const MOST_STEPS = 30;

export type RunState = ReturnType<typeof runState>;

/** What later rows and the status line need: O(1) per event, and calls and subagents only while they are open. */
export function runState() {
  const summary = runSummary();
  const calls = new Map<string, OpenCall>();
  const subagents = crew();
  const run = { agent: "", prompt: "", cwd: undefined as string | undefined, model: undefined as string | undefined };
  const session = { id: undefined as string | undefined, version: undefined as string | undefined };
  let speech: Speech | undefined;
  let newest: OpenCall | undefined;
  let hasSpoken = false;
  const recent: string[] = []; // the texts just above
  let plan = "";
  let begun = false;
  let ended = false;

  function startCall(start: RecordOf<"tool-start">, now: number): void {
    if (calls.has(start.callId)) return;
    newest = { start, since: now, hasOwnRows: false, denied: false, progress: "" };
    calls.set(start.callId, newest);
  }

  function giveOwnRows(callId: string | undefined): void {
    const call = callId === undefined ? undefined : calls.get(callId);
    if (call === undefined) return;
    call.hasOwnRows = true;
    call.progress = "";
  }

  /** A plan does not name its call, but both come from the same line. */
  function seePlan({ from, items }: RecordOf<"plan">): void {
    const here = from[0]?.record;
    if (newest !== undefined && here !== undefined && newest.start.from[0]?.record === here) newest.hasOwnRows = true;
    plan = planKey(items);
  }

  function speak(record: RecordOf<"text-delta"> | RecordOf<"reasoning-delta">): void {
    const key = `${record.type} ${record.parent ?? ""} ${record.messageId ?? ""}`;
    if (speech?.key !== key) speech = { key, thinking: record.type === "reasoning-delta", tail: textTail(SPEECH) };
    speech.tail.add(record.text);
  }

  function remember(record: LogRecord): void {
    if (SILENT.has(record.type)) return;
    const text = record.type === "error" || record.type === "warning" ? record.message : record.type === "message" ? record.text : "";
    recent.push(text.length > LONGEST_RECENT ? "" : text.trim());
    if (recent.length > MOST_RECENT) recent.shift();
  }

  function seeSession({ sessionId, agentVersion, model, cwd }: RecordOf<"session">): void {
    session.id ??= sessionId;
    session.version ??= agentVersion;
    run.model = model ?? run.model;
    run.cwd = cwd ?? run.cwd;
  }

  return {
    calls,
    run: run as Readonly<typeof run>,
    session: session as Readonly<typeof session>,
    /** The subagent that did this, if known; undefined for the main agent. */
    subagentOf: (parent: string | undefined): Subagent | undefined => subagents.find(parent, calls.get(parent ?? "")?.start.parent),
    summary: () => summary.summary(),
    speech: (): Speech | undefined => speech,
    /** Whether the main agent, not a subagent, has written a message. */
    hasSpoken: (): boolean => hasSpoken,
    /** Whether this text, or its last line, stands just above. */
    isJustAbove: (text: string): boolean => recent.includes(text.trim()) || recent.includes(lastLine(text)),
    isSamePlan: (items: RecordOf<"plan">["items"]): boolean => planKey(items) === plan,
    /** Whether anything happened after the start. */
    hasBegun: (): boolean => begun,
    hasEnded: (): boolean => ended,

    see(record: LogRecord, now: number): void {
      summary.see({ seq: record.seq, at: record.at, from: record.from, provenance: record.provenance, body: record });
      begun ||= record.type !== "run-start";
      remember(record);
      switch (record.type) {
        case "run-start":
          Object.assign(run, { agent: record.agent, prompt: record.prompt ?? "", cwd: record.cwd, model: record.model });
          break;
        case "session":
          seeSession(record);
          break;
        case "text-delta":
        case "reasoning-delta":
          speak(record);
          break;
        case "message":
          speech = undefined;
          hasSpoken ||= record.role === "assistant" && record.parent === undefined;
          break;
        case "reasoning":
          speech = undefined;
          break;
        case "tool-start":
          startCall(record, now);
          break;
        case "tool-progress": {
          const call = record.callId === undefined ? undefined : calls.get(record.callId);
          if (call !== undefined) call.progress = clipped(record.message ?? call.progress, SPEECH);
          break;
        }
        case "tool-end":
          calls.delete(record.callId);
          break;
        case "plan":
          seePlan(record);
          break;
        case "subagent-start":
          giveOwnRows(record.callId);
          subagents.start(record);
          break;
        case "subagent-end":
          giveOwnRows(record.callId);
          subagents.end(record.subagentId);
          break;
        case "permission-decision": {
          const call = record.callId === undefined ? undefined : calls.get(record.callId);
          if (call !== undefined) call.denied = record.decision === "deny";
          break;
        }
        case "run-end":
          ended = true;
          break;
      }
    },
  };
}

function lastLine(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.slice(trimmed.lastIndexOf("\n") + 1).trim();
}

/** Two plans with the same key look the same. */
function planKey(items: RecordOf<"plan">["items"]): string {
  return `${items.length} ${items.slice(0, MOST_STEPS).map(({ status, text }) => `${status} ${text.slice(0, SPEECH)}\n`)}`;
}
