import { clipped, fewMap, isObject, isShallow, type JsonObject, MAX_DEPTH, nothing, shallow, TOO_DEEP, tailKeeper } from "../base/index.ts";
import type {
  BodyOf,
  Call,
  Event,
  EventBody,
  ExitRecord,
  FactRecord,
  LineRecord,
  Provenance,
  RecordRef,
  RunRecord,
  SessionUsage,
  Stream,
  ToolStartBody,
  UnknownBody,
} from "../events/index.ts";
import { type Agent, consumed, type RunContext } from "./agent.ts";
import { guarded } from "./guarded.ts";
import { type Outcome, outcomeLedger } from "./outcome.ts";
import { parseLine } from "./parse-line.ts";
import { type StderrLine, stderrBudget } from "./stderr-budget.ts";
import { isVouchedFor } from "./vouched.ts";

/** What is known about a run before its first line. */
export interface RunInfo {
  readonly startedAt: number;
  readonly runId?: string;
  readonly cwd?: string;
  readonly model?: string;
  readonly prompt?: string;
  /** Our name for the session. */
  readonly sessionName?: string;
  /** What the session had used before, if this run resumed it. */
  readonly before?: SessionUsage;
}

/** The most open calls kept under one id. They cannot be distinguished, so more add nothing. */
const MOST_RIVALS = 16;

/** Takes records and reports events to a callback: a list for every record would cost as much as the event in it. */
export interface EventLog {
  push(record: RunRecord): void;
  /** Called once, after the last record. Reports what was held back, and the end of the run. */
  end(): void;
}

type OpenCall = { -readonly [K in keyof Call]: Call[K] };

/** Longer messages are cut in the event; the raw bytes are complete. */
const MESSAGE_CAP = 8 * 1024;

/**
 * Turns records into events, for any agent. It handles everything agents have in common: time, sequence, provenance, blank lines, lines
 * that are not JSON, stderr, calls that never ended, and the final verdict. An agent's file only says what one JSON object means.
 * O(1) per record; the state is the open calls and a few last lines.
 */
export function eventLog(given: Agent, run: RunInfo, report: (event: Event) => void): EventLog {
  const agent = isVouchedFor(given) ? given : guarded(given);
  const context: { -readonly [K in keyof RunContext]: RunContext[K] } = {
    cwd: run.cwd,
    sessionName: run.sessionName,
    before: run.before,
    here: { record: 0, stream: "stdout", offset: 0, length: 0 },
  };
  const translator = agent.open(context);
  const openCalls = fewMap<string, OpenCall>();
  const ledger = outcomeLedger(agent.terminal === true);
  const tail = tailKeeper();
  const stderr = stderrBudget();
  let started = false;
  let records = 0;
  let seq = 0;
  let at = run.startedAt;
  let exit: ExitRecord | undefined;
  let isRead = false; // the agent's output is complete

  function emit(body: EventBody, provenance: Provenance, from: readonly RecordRef[] = nothing): void {
    if (body.type === "tool-start") return startCall(body, provenance, from);
    report(eventOf(body, provenance, from, track(body)));
  }

  function eventOf<Body extends EventBody>(body: Body, provenance: Provenance, from: readonly RecordRef[], call?: Call) {
    return { seq: ++seq, at, from: body.from ?? from, provenance: body.rule === undefined ? provenance : "derived", body, call } as const;
  }

  /** Updates the state that later events and the verdict depend on. Returns the open call that the body names. */
  function track(body: EventBody): Call | undefined {
    switch (body.type) {
      case "tool-end":
        return endCall(body);
      case "tool-progress":
      case "permission-request":
        return openCall(body.callId);
      case "subagent-start":
      case "subagent-end":
        return openCall(body.callId, true);
      case "error":
        tail.error(body.message);
        return undefined;
      case "permission-decision":
        ledger.see(body);
        return openCall(body.callId);
      case "result":
        ledger.see(body);
        return undefined;
      default:
        return undefined;
    }
  }

  /** A copy, because the call may still change. */
  function openCall(callId: string | undefined, orchestrates = false): Call | undefined {
    const call = callId === undefined ? undefined : openCalls.get(callId);
    if (call === undefined) return undefined;
    if (orchestrates) call.orchestrated = true;
    return { ...call };
  }

  /** Ignores a request that was printed twice. */
  function startCall(body: ToolStartBody, provenance: Provenance, from: readonly RecordRef[]): void {
    const rival = openCalls.get(body.callId);
    if (rival !== undefined && isSameRequest(rival.start.body, body)) return;
    const start = eventOf(body, provenance, from);
    if (rival === undefined) openCalls.set(body.callId, { start, rivals: nothing, orchestrated: false });
    else if (rival.rivals.length < MOST_RIVALS) rival.rivals = [...rival.rivals, start];
    report(start);
  }

  function endCall(end: BodyOf<"tool-end">): Call | undefined {
    const call = openCalls.get(end.callId);
    if (call !== undefined) openCalls.delete(end.callId);
    ledger.see(end, call !== undefined && changesTheWorld(call.start.body));
    return call;
  }

  function start(): void {
    started = true;
    const { id, product, inside, plain } = agent;
    const { runId, cwd, model, prompt } = run;
    emit({ type: "run-start", agent: id, product, inside, plain, runId, cwd, model, prompt }, "observed");
  }

  function pushLine(record: LineRecord): void {
    const { line, stream } = record;
    const here: RecordRef = { record: ++records, stream, offset: line.offset, length: line.length };
    const from = [here];
    if (stream === "stderr") {
      pushStderr({ text: clip(withoutReturn(line.text)), from });
      return;
    }
    const value = line.oversize ? undefined : parseLine(line.text);
    context.here = here;
    if (isObject(value)) {
      pushObject(value, line.text, from);
      return;
    }
    if (!line.oversize && line.text.trim() === "") return; // white space between objects
    const text = withoutReturn(line.text);
    const bodies = line.oversize ? undefined : translator.text?.(text);
    if (bodies !== undefined) {
      for (const body of bodies) emit(bounded(body, text), body.type === "unknown" ? "unknown" : "declared", from);
      return;
    }
    const said = line.oversize || value !== undefined ? nothing : plain(text, "stdout");
    const isTorn = said.length === 0 && text.startsWith("{"); // may hold file contents
    if (!isTorn && !said.some(({ type }) => type === "notice" || type === "session")) tail.stdout(text);
    for (const body of said.length > 0 ? said : [unreadable(record, value)]) {
      emit(body, body.type === "unknown" ? "unknown" : "declared", from);
    }
  }

  /** The agent's reading of a line that is not an object; empty if it does not know the line. */
  function plain(text: string, stream: Stream): readonly EventBody[] {
    const said = agent.text?.(text, stream) ?? nothing;
    return "type" in said ? [said] : said;
  }

  function complaint(text: string): readonly EventBody[] {
    const said = plain(text, "stderr");
    return said.length > 0 ? said : [{ type: "warning", message: text }];
  }

  function pushObject(value: JsonObject, text: string, from: readonly RecordRef[]): void {
    const bodies = translator.push(value);
    if (bodies === consumed) return;
    if (bodies.length === 0) emit(bounded({ type: "unknown", raw: value }, text), "unknown", from);
    for (const body of bodies) {
      const isUnknown = body.type === "unknown";
      if (isUnknown && body.raw === value) tail.stdout(text, true);
      emit(text.length < CAN_BE_DEEP ? body : bounded(body, text), isUnknown ? "unknown" : "declared", from);
    }
  }

  function pushStderr(line: StderrLine): void {
    const { text } = line;
    if (text.trim() === "") return;
    const said = complaint(text);
    const known = said.some((body) => "code" in body && body.code !== undefined);
    const message = said.map((body) => ("message" in body ? body.message : undefined)).find((each) => each !== undefined);
    tail.stderr(message ?? text, known);
    if (stderr.admits(line)) for (const body of said) emit(body, "observed", line.from);
  }

  function pushFact({ body }: FactRecord): void {
    records++; // facts count as records, although they have no bytes
    if (body.type === "process-observed") {
      const { exitCode, signal, durationMs, stopped } = body;
      exit = { type: "exit", at, exitCode, signal, durationMs, stopped };
      closeStreams();
      emit({ ...body, status: ledger.decide(exit).status }, "observed");
      return;
    }
    if ("code" in body) ledger.notice(body.code);
    emit(body, "observed");
    translator.learn?.(body);
  }

  function closeCalls(): void {
    for (const callId of openCalls.keys()) {
      emit({ type: "tool-end", callId, interrupted: true, rule: "open-at-end" }, "derived");
    }
  }

  function flushStderr(): void {
    const { skipped, last } = stderr.rest();
    if (skipped > 0) {
      emit({ type: "warning", message: `${skipped} more lines on stderr, not shown`, code: "stderr-capped" }, "observed");
    }
    for (const { text, from } of last) for (const body of complaint(text)) emit(body, "observed", from);
  }

  /** Flushes everything held back when the process ends, or with the run if no one saw the process end. */
  function closeStreams(): void {
    if (isRead) return;
    isRead = true;
    for (const body of translator.end()) emit(bounded(body, TOO_DEEP), body.type === "unknown" ? "unknown" : "declared");
    flushStderr();
    closeCalls();
  }

  function runEnd(outcome: Outcome): EventBody {
    return {
      type: "run-end",
      ...outcome,
      exitCode: exit?.exitCode ?? null,
      signal: exit?.signal ?? null,
      durationMs: exit?.durationMs ?? null,
      stopped: exit?.stopped,
      tail: outcome.status === "completed" ? undefined : tail.text(),
    };
  }

  return {
    push(record) {
      if (!started) start();
      at = record.at;
      if (record.type === "line") pushLine(record);
      else if (record.type === "fact") pushFact(record);
      else exit = record;
    },
    end() {
      if (!started) start();
      closeStreams();
      emit(runEnd(ledger.decide(exit)), exit === undefined ? "derived" : "observed");
    },
  };
}

function unreadable(record: LineRecord, value: unknown): UnknownBody {
  const { line } = record;
  if (value !== undefined && isShallow(value)) return { type: "unknown", raw: value };
  const truncated = line.terminated ? undefined : (true as const);
  if (line.oversize) return { type: "unknown", raw: line.text, oversize: true, truncated };
  if (line.base64 !== undefined) return { type: "unknown", raw: line.base64, encoding: "base64", truncated };
  return { type: "unknown", raw: withoutReturn(line.text), truncated };
}

/** Lines may end in CRLF. JSON ignores the CR as white space. */
function withoutReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

/** A level of nesting takes two characters, so shorter lines need no check. */
const CAN_BE_DEEP = 2 * MAX_DEPTH;

/** Replaces values nested too deeply to be serialised; an `unknown` shows the text it was read from instead. */
function bounded(body: EventBody, text: string): EventBody {
  if (body.type === "unknown") return isShallow(body.raw) ? body : { ...body, raw: text };
  if (body.type === "tool-start" && !(isShallow(body.input) && isShallow(body.request))) {
    return { ...body, input: shallow(body.input), request: shallow(body.request) };
  }
  return isShallow(body.raw) ? body : { ...body, raw: TOO_DEEP };
}

function isSameRequest(one: ToolStartBody, other: ToolStartBody): boolean {
  return one.tool === other.tool && JSON.stringify([one.input, one.operations]) === JSON.stringify([other.input, other.operations]);
}

/** Reading, listing and searching change nothing. A call without known operations does not count as progress. */
function changesTheWorld(body: ToolStartBody): boolean {
  for (const { kind } of body.operations) if (kind === "write" || kind === "command") return true;
  return false;
}

function clip(text: string): string {
  return clipped(text, MESSAGE_CAP);
}
