import { clipped, textTail } from "../../../pure/base/index.ts";
import type { BodyOf, EventType, LogRecord } from "../../../pure/events/index.ts";
import { runSummary } from "../../../pure/pipeline/index.ts";
import { crew, type Subagent } from "./crew.ts";

/** A record of one type. */
export type RecordOf<T extends EventType> = LogRecord & BodyOf<T>;

export interface OpenCall {
  readonly start: RecordOf<"tool-start">;
  /** When it began, on the clock of the screen. */
  readonly since: number;
  /** A plan or a subagent tells what it does. */
  told: boolean;
  denied: boolean;
  /** The last word of its progress. */
  progress: string;
}

/** What is being said right now, and has not been said in full. */
export interface Speech {
  readonly key: string;
  readonly thinking: boolean;
  readonly tail: ReturnType<typeof textTail>;
}

/** Characters of a message under way that are kept: more than a row shows. */
const SPEECH = 1000;

/** Types that add no row. */
const SILENT: ReadonlySet<EventType> = new Set(["text-delta", "reasoning-delta", "tool-start", "tool-progress", "usage", "result"]);
const MOST_RECENT = 24;
const LONGEST_RECENT = 8 * 1024;

/** Steps of a plan that are shown. */
export const MOST_STEPS = 30;

export type RunState = ReturnType<typeof runState>;

/** What later rows and the status line need to know of a run: O(1) per event; calls and subagents only while they are open. */
export function runState() {
  const summary = runSummary();
  const calls = new Map<string, OpenCall>();
  const subagents = crew();
  const run = { agent: "", prompt: "", cwd: undefined as string | undefined, model: undefined as string | undefined };
  const session = { id: undefined as string | undefined, version: undefined as string | undefined };
  let speech: Speech | undefined;
  let newest: OpenCall | undefined;
  let hasSpoken = false;
  const recent: string[] = []; // complaints and plain lines among what was told last
  let plan = "";
  let begun = false;
  let ended = false;

  function startCall(start: RecordOf<"tool-start">, now: number): void {
    if (calls.has(start.callId)) return;
    newest = { start, since: now, told: false, denied: false, progress: "" };
    calls.set(start.callId, newest);
  }

  function tell(callId: string | undefined): void {
    const call = callId === undefined ? undefined : calls.get(callId);
    if (call === undefined) return;
    call.told = true;
    call.progress = "";
  }

  /** No plan names its call, but they come from the same line. */
  function tellPlan({ from, items }: RecordOf<"plan">): void {
    const here = from[0]?.record;
    if (newest !== undefined && here !== undefined && newest.start.from[0]?.record === here) newest.told = true;
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
    /** The subagent whose work this is, as far as that is known; undefined for the main thread. */
    subagentOf: (parent: string | undefined): Subagent | undefined => subagents.find(parent, calls.get(parent ?? "")?.start.parent),
    summary: () => summary.summary(),
    speech: (): Speech | undefined => speech,
    /** Whether the agent itself, not a subagent, has said anything. */
    hasSpoken: (): boolean => hasSpoken,
    /** Whether these words, or the last line of them, can still be seen a little above. */
    wasJustTold: (text: string): boolean => recent.includes(text.trim()) || recent.includes(lastLine(text)),
    isSamePlan: (items: RecordOf<"plan">["items"]): boolean => planKey(items) === plan,
    /** Whether the agent has done anything but start. */
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
          tellPlan(record);
          break;
        case "subagent-start":
          tell(record.callId);
          subagents.start(record);
          break;
        case "subagent-end":
          tell(record.callId);
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
  const told = text.trimEnd();
  return told.slice(told.lastIndexOf("\n") + 1).trim();
}

/** Two plans with the same key look the same. */
function planKey(items: RecordOf<"plan">["items"]): string {
  return `${items.length} ${items.slice(0, MOST_STEPS).map(({ status, text }) => `${status} ${text.slice(0, SPEECH)}\n`)}`;
}
