// How a run of Pi continues and ends: failed answers, retries, compaction, `agent_end`, `agent_settled`.

import { arrayOf, type JsonObject, numberOf, objectOf, without, wordOf } from "../../base/index.ts";
import type { RecordRef } from "../../events/index.ts";
import { type RunContext, STREAM_ENDED, type Translated } from "../../pipeline/index.ts";
import { type Ending, endingOf, errorOf, retryMessage, usageOf } from "./fields.ts";

/**
 * Pi always exits with 0, and only the next lines show whether it retries a failed answer. So a failure is held back until then,
 * and becomes a warning or an error. An `agent_end` ends the run only if nothing starts after it.
 */
export function piCourse(run: RunContext) {
  let last: Ending | undefined; // the outcome of the last answer
  let said = ""; // its text
  let retried: string | undefined; // the text of an answer that is being retried
  let failure: { readonly message: string; readonly from: RecordRef } | undefined; // not known yet whether it is retried
  let ended: RecordRef | undefined; // an `agent_end` that nothing has followed yet
  let settles = false; // this version prints `agent_settled` when nothing more will start

  /** Returns true for the text of the previous answer, repeated by a retry. */
  function answered(message: JsonObject, text: string): boolean {
    conclude(message);
    const repeats = text === retried;
    said = text;
    retried = undefined;
    return repeats;
  }

  function conclude(message: JsonObject): void {
    last = endingOf(message);
    if (last.outcome !== "completed" && last.outcome !== undefined) failure = { message: errorOf(message), from: run.here };
  }

  function agentStart(out: Translated[]): boolean {
    emitFailure(out);
    ended = undefined;
    return true;
  }

  /** Comes again with every retry and repeats all messages. The last message matters only if its own line did not come. */
  function agentEnd(line: JsonObject): boolean {
    const final = objectOf(arrayOf(line["messages"])?.at(-1));
    if (final?.["role"] === "assistant" && (last === undefined || final["stopReason"] !== last.reason)) conclude(final);
    if (line["willRetry"] !== true) ended = run.here;
    return true;
  }

  function agentSettled(out: Translated[], line: JsonObject): boolean {
    emitFailure(out);
    ended = undefined;
    settles = true;
    const ending: Ending | undefined = line["aborted"] === true ? { outcome: "canceled", reason: "aborted" } : last;
    out.push({ type: "result", outcome: ending?.outcome, reason: ending?.reason ?? "agent_settled" });
    return true;
  }

  function retryStart(out: Translated[], line: JsonObject): boolean {
    tryAgain();
    out.push({ type: "warning", message: retryMessage(line), code: "api_retry" });
    return true;
  }

  /** Without success the last retry failed or was canceled: nothing more will start. */
  function retryEnd(out: Translated[], line: JsonObject): boolean {
    if (line["success"] !== false) {
      out.push({ type: "notice", kind: "auto_retry_end", raw: line });
      return true;
    }
    out.push({ type: "error", message: wordOf(line["finalError"]) ?? failure?.message ?? "The last retry failed" });
    failure = undefined;
    ended ??= run.here;
    return true;
  }

  /** The summary repeats the conversation, so the raw line leaves it out. */
  function compactionEnd(out: Translated[], line: JsonObject): boolean {
    const result = objectOf(line["result"]);
    const usage = usageOf(result?.["usage"]);
    if (usage !== undefined) out.push(usage);
    const trigger = wordOf(line["reason"]);
    const message = wordOf(line["errorMessage"]);
    const raw = without(line, ["result"]);
    if (result !== undefined) out.push({ type: "compaction", trigger, tokensBefore: numberOf(result["tokensBefore"]), raw });
    else if (message !== undefined) out.push({ type: "warning", message, code: "compaction_failed" });
    else out.push({ type: "notice", kind: "compaction_end", message: trigger, raw });
    if (line["willRetry"] !== true) return true;
    if (failure !== undefined) out.push({ type: "warning", message: retryMessage({ errorMessage: failure.message }), code: "api_retry" });
    tryAgain();
    return true;
  }

  function tryAgain(): void {
    retried = said;
    failure = undefined;
    ended = undefined;
  }

  /** Emits a failure that is not retried. */
  function emitFailure(out: Translated[], rule?: string): void {
    if (failure === undefined) return;
    const from = rule === undefined ? [failure.from, run.here] : [failure.from];
    out.push({ type: "error", message: failure.message, rule, from });
    failure = undefined;
  }

  /** Without `agent_settled`, only the end of the stream shows that an `agent_end` was the last one. */
  function end(): readonly Translated[] {
    const out: Translated[] = [];
    emitFailure(out, STREAM_ENDED);
    if (ended === undefined || last === undefined || (settles && last.outcome === "completed")) return out;
    out.push({ type: "result", outcome: last.outcome, reason: last.reason ?? "agent_end", rule: STREAM_ENDED, from: [ended] });
    return out;
  }

  return {
    answered,
    agentStart,
    agentEnd,
    agentSettled,
    retryStart,
    retryEnd,
    compactionEnd,
    end,
    /** Only versions with `agent_settled` print what just came. */
    willSettle(): void {
      settles = true;
    },
  };
}
