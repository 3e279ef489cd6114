import { clipped, isObject, type JsonObject, nothing, TOO_DEEP, tailKeeper } from "../base/index.ts";
import type {
  BodyOf,
  Call,
  Event,
  EventBody,
  ExitRecord,
  FactRecord,
  Line,
  Provenance,
  RecordRef,
  RunEndBody,
  RunRecord,
  SessionUsage,
  Stream,
  ToolStartBody,
} from "../events/index.ts";
import { type Agent, consumed, type RunContext, type Translated } from "./agent.ts";
import { unexplained } from "./exit-message.ts";
import { guarded } from "./guarded.ts";
import { bounded, CAN_BE_DEEP, isUnknown, unreadable, withoutReturn } from "./line-body.ts";
import { lateEnd, openCalls } from "./open-calls.ts";
import { hasEnd, isAnswer, type Outcome, outcomeLedger } from "./outcome.ts";
import { parseLine } from "./parse-line.ts";
import { deltas, type Pause, type Piece, speech } from "./speech.ts";
import { stackTrace } from "./stack-trace.ts";
import { type StderrLine, stderrBudget } from "./stderr-budget.ts";
import { isVouchedFor } from "./vouched.ts";
import { changesTheWorld, denialOf } from "./withheld.ts";

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

/** Takes records and reports events to a callback: a list for every record would cost as much as the event in it. */
export interface EventLog {
  push(record: RunRecord): void;
  /** The same as pushing a record of the line, without making one. */
  line(stream: Stream, line: Line, at: number): void;
  /** Called once, after the last record. Reports what was held back, and the end of the run. */
  end(): void;
}

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
    at: run.startedAt,
  };
  const translator = agent.open(context);
  const calls = openCalls();
  const ledger = outcomeLedger(agent);
  const tail = tailKeeper();
  const stderr = stderrBudget();
  const trace = stackTrace();
  const spoken = speech();
  const unsaid = deltas();
  let started = false;
  let records = 0;
  let seq = 0;
  let at = run.startedAt;
  let exit: ExitRecord | undefined;
  let hasError = false; // an error of the main thread was reported
  let isRead = false; // the agent's output is complete
  let said: readonly Translated[] = nothing; // what the translator answered to the current line
  let behind: number | undefined; // the record that began the oldest request not reported yet

  /**
   * Takes what a translator or the recorder says. An event is reported after the message and the stack trace that it closes, and what later
   * events and the verdict depend on is updated. Bodies have many shapes, and reading a field of one is slow: the type is read once.
   */
  function emit(body: Translated, provenance: Provenance, from: readonly RecordRef[] = nothing): void {
    const { type } = body;
    if (type === "piece") return say(body);
    if (type === "pause") return body.drop ? void spoken.take() : complete(body);
    endTrace();
    if (type === "text-delta" || type === "reasoning-delta") announce(body);
    else pause();
    switch (type) {
      case "tool-start":
        return startCall(body, provenance, from);
      case "tool-end":
        return endCall(body, provenance, from);
      case "message":
        spoken.interrupt(body.parent);
        if (body.role === "assistant") unsaid.clear(body.parent);
        if (isAnswer(body)) ledger.happened();
        break;
      case "reasoning":
        spoken.interrupt(body.parent);
        break;
      case "result":
        if (hasEnd(said)) conclude();
        spoken.interrupt(body.parent);
        ledger.claimed(body);
        if (body.text !== undefined && body.text !== "") ledger.happened();
        break;
      case "plan":
        spoken.interrupt(body.parent);
        ledger.happened();
        break;
      case "compaction":
        ledger.happened();
        break;
      case "unknown":
        ledger.happened();
        return report(eventOf(body, provenance === "declared" ? "unknown" : provenance, from));
      case "error":
        if (hasEnd(said)) conclude();
        tail.error(body.message);
        hasError ||= body.parent === undefined;
        break;
      case "usage":
        return report(eventOf(body.covers === undefined ? { ...body, covers: "main" } : body, provenance, from));
      case "subagent-start":
      case "subagent-end":
        ledger.happened();
        return report(eventOf(body, provenance, from, calls.named(body.callId, true)));
      case "permission-decision":
        ledger.decided(body);
        return report(eventOf(body, provenance, from, calls.named(body.callId)));
      case "tool-progress":
      case "permission-request":
        return report(eventOf(body, provenance, from, calls.named(body.callId)));
    }
    report(eventOf(body, provenance, from));
  }

  /** A delta closes the open message, unless it announces more of it. */
  function announce(body: BodyOf<"text-delta"> | BodyOf<"reasoning-delta">): void {
    const { messageId, parent } = body;
    if (!spoken.announces(messageId, parent, at, context.here)) pause();
    if (body.type === "text-delta") unsaid.add(body, at, context.here, spoken.isOfLast(messageId, parent));
  }

  function eventOf<Body extends EventBody>(
    body: Body,
    provenance: Provenance,
    from: readonly RecordRef[],
    call?: Call,
    time = at,
  ): Event<Body["type"]> {
    const event = {
      seq: ++seq,
      at: time,
      from: body.from ?? from,
      provenance: body.rule === undefined ? provenance : "derived",
      body,
      call,
      behind,
    };
    return event as unknown as Event<Body["type"]>;
  }

  /** What a translator answered to a line, in its order. */
  function emitAll(bodies: readonly Translated[], text: string, from: readonly RecordRef[]): void {
    said = bodies;
    const isSmall = text.length < CAN_BE_DEEP && text !== TOO_DEEP;
    for (const body of bodies) emit(isSmall ? body : bounded(body, text), "declared", from);
    said = nothing;
  }

  function say(piece: Piece): void {
    if (piece.text === "") return;
    endTrace();
    if (!spoken.takes(piece)) pause();
    const { role, text, messageId, parent, said } = piece;
    const type = role === undefined ? "reasoning-delta" : "text-delta";
    if (piece.live) report(eventOf({ type, text, messageId, parent, said }, "declared", [context.here]));
    spoken.add(piece, at, context.here);
  }

  /** The translator says that the message is over: what follows is a new one, unless its id says otherwise. */
  function complete({ partial, parent }: Pause): void {
    pause(partial, parent);
    spoken.interrupt(parent);
  }

  /** Emits the open message, with the time of its last byte. */
  function pause(partial?: true, parent?: string): void {
    const said = spoken.take(partial, parent);
    if (said === undefined) return;
    if (isAnswer(said.body)) {
      unsaid.clear(said.body.parent);
      ledger.happened();
    }
    report(eventOf(said.body, "declared", nothing, undefined, said.at));
  }

  /** Ends what a failed run leaves open, before the record that ends the run: text that broke off, then calls, the inner ones first. */
  function conclude(): void {
    pause();
    // Without an exit the file may simply end here.
    for (const { body, at } of exit === undefined && isRead ? nothing : unsaid.take()) {
      ledger.happened();
      report(eventOf({ ...body, rule: OPEN_AT_END }, "declared", nothing, undefined, at));
    }
    for (const callId of calls.ids()) {
      emit({ type: "tool-end", callId, interrupted: true, rule: OPEN_AT_END }, "derived");
      calls.willBeLate(callId);
    }
  }

  /** Ignores a request that was printed twice. */
  function startCall(body: ToolStartBody, provenance: Provenance, from: readonly RecordRef[]): void {
    spoken.interrupt(body.parent);
    if (calls.isKnown(body)) return;
    const start = eventOf(body, provenance, from);
    ledger.happened();
    calls.start(start);
    report(start);
  }

  function endCall(end: BodyOf<"tool-end">, provenance: Provenance, from: readonly RecordRef[]): void {
    spoken.interrupt(end.parent);
    const { callId, success } = end;
    const denial = success === false ? denialOf(end, calls.startOf(callId), agent.withheld) : undefined;
    if (denial !== undefined) emit(denial, "derived", from);
    if (calls.isLate(callId)) return emit(lateEnd(end), provenance, from);
    const call = calls.end(callId);
    ledger.ended(end, call !== undefined && changesTheWorld(call.start.body));
    report(eventOf(end, provenance, from, call));
  }

  function start(): void {
    started = true;
    const { id, product, inside, plain } = agent;
    const { runId, cwd, model, prompt } = run;
    emit({ type: "run-start", agent: id, product, inside, plain, runId, cwd, model, prompt }, "observed");
  }

  function pushLine(stream: Stream, line: Line, time: number): void {
    if (!started) start();
    at = time;
    const here: RecordRef = { record: ++records, stream, offset: line.offset, length: line.length };
    const from = [here];
    if (stream === "stderr") {
      pushStderr({ text: clipped(withoutReturn(line.text), MESSAGE_CAP), from });
      return;
    }
    const value = line.oversize ? undefined : parseLine(line.text);
    context.here = here;
    context.at = at;
    if (isObject(value)) {
      pushObject(value, line.text, from);
      return;
    }
    if (!line.oversize && agent.plain !== true && line.text.trim() === "") return; // white space between objects
    const text = withoutReturn(line.text);
    const bodies = line.oversize ? undefined : translator.text?.(text);
    if (bodies !== undefined) {
      if (agent.plain && bodies.length > 0) tail.stdout(text);
      emitAll(bodies, text, from);
      return;
    }
    const said = line.oversize || value !== undefined ? nothing : plain(text, "stdout");
    const isTorn = said.length === 0 && text.startsWith("{"); // may hold file contents
    if (!isTorn && !said.some(({ type }) => type === "notice" || type === "session")) tail.stdout(text);
    for (const body of said.length > 0 ? said : [unreadable(line, value)]) {
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
    const bodies = translator.push(value, text);
    behind ??= translator.pending?.()?.record;
    if (bodies === consumed) return;
    if (bodies.length === 0) emit(bounded({ type: "unknown", raw: value }, text), "unknown", from);
    if (agent.plain) tail.stdout(text);
    else if (isUnknown(bodies.at(-1), value)) tail.stdout(text, true);
    emitAll(bodies, text, from);
    behind = translator.pending?.()?.record; // requests that were waiting may have been among the bodies
  }

  function pushStderr(line: StderrLine): void {
    const { text } = line;
    if (text.trim() === "") return;
    const said = complaint(text);
    const known = said.some((body) => "code" in body && body.code !== undefined);
    const message = said.map((body) => ("message" in body ? body.message : undefined)).find((each) => each !== undefined);
    tail.stderr(message ?? text, known);
    if (known && translator.learn !== undefined) for (const body of said) translator.learn(body);
    if (trace.continues(text)) {
      pause();
      trace.add(line, at);
      return;
    }
    const isAdmitted = stderr.admits(line);
    if (isAdmitted) for (const body of said) emit(body, "observed", line.from);
    trace.after(isAdmitted);
  }

  /** The frames of a stack trace, after the warning that they belong to. */
  function endTrace(): void {
    const frames = trace.take();
    if (frames === undefined) return;
    report(eventOf({ type: "notice", kind: "stack-trace", message: frames.text }, "observed", frames.from, undefined, frames.at));
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
    context.at = at;
    emitAll(translator.end(), TOO_DEEP, nothing);
    pause();
    endTrace();
    flushStderr();
    conclude();
  }

  function runEnd(outcome: Outcome): RunEndBody {
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
    line: pushLine,
    push(record) {
      if (record.type === "line") return pushLine(record.stream, record.line, record.at);
      if (!started) start();
      at = record.at;
      if (record.type === "fact") pushFact(record);
      else exit = record;
    },
    end() {
      if (!started) start();
      closeStreams();
      const end = runEnd(ledger.decide(exit));
      const why = hasError ? undefined : unexplained(end);
      if (why !== undefined) emit(why, "derived");
      emit(end, exit === undefined ? "derived" : "observed");
    },
  };
}

/** The rule for what the run left open when it ended. */
const OPEN_AT_END = "open-at-end";
