// How a run of Pi goes on and ends: failed answers, retries, compaction, `agent_end`, `agent_settled`. Part of pi.ts.

import { arrayOf, type JsonObject, numberOf, objectOf, without, wordOf } from "../../base/index.ts";
import type { EventBody, RecordRef } from "../../events/index.ts";
import type { RunContext } from "../../pipeline/index.ts";
import { type Ending, endingOf, errorOf, retryMessage, usageOf } from "./fields.ts";

/**
 * Pi exits with 0 whatever happened, and says only on the next lines whether an answer that failed is tried again. So a
 * failure is held back until that is known, and is then a warning or an error; and an `agent_end` is the end of the run only
 * when nothing has begun after it.
 */
export function piCourse(run: RunContext) {
  let last: Ending | undefined; // what the last answer says about the run
  let said = ""; // and its words
  let retried: string | undefined; // what an answer that is tried again had said
  let failure: { readonly message: string; readonly from: RecordRef } | undefined; // nobody has said yet whether it is tried again
  let ended: RecordRef | undefined; // an `agent_end` after which nothing has begun yet
  let settles = false; // this version tells with `agent_settled` that nothing more will begin

  /** True for the words of the answer before, which has been tried again. */
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

  function agentStart(out: EventBody[]): boolean {
    tellFailure(out);
    ended = undefined;
    return true;
  }

  /** Comes again with every retry. It repeats all messages; the last one is news only where its own line did not come. */
  function agentEnd(line: JsonObject): boolean {
    const final = objectOf(arrayOf(line["messages"])?.at(-1));
    if (final?.["role"] === "assistant" && (last === undefined || final["stopReason"] !== last.reason)) conclude(final);
    if (line["willRetry"] !== true) ended = run.here;
    return true;
  }

  function agentSettled(out: EventBody[], line: JsonObject): boolean {
    tellFailure(out);
    ended = undefined;
    settles = true;
    const ending: Ending | undefined = line["aborted"] === true ? { outcome: "canceled", reason: "aborted" } : last;
    out.push({ type: "result", outcome: ending?.outcome, reason: ending?.reason ?? "agent_settled" });
    return true;
  }

  function retryStart(out: EventBody[], line: JsonObject): boolean {
    tryAgain();
    out.push({ type: "warning", message: retryMessage(line), code: "api_retry" });
    return true;
  }

  /** Without success the last retry failed, or was called off: nothing more will begin. */
  function retryEnd(out: EventBody[], line: JsonObject): boolean {
    if (line["success"] !== false) {
      out.push({ type: "notice", kind: "auto_retry_end", raw: line });
      return true;
    }
    out.push({ type: "error", message: wordOf(line["finalError"]) ?? failure?.message ?? "The last retry failed" });
    failure = undefined;
    ended ??= run.here;
    return true;
  }

  /** The summary repeats the conversation, so it stays out of what is repeated. */
  function compactionEnd(out: EventBody[], line: JsonObject): boolean {
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

  /** A failure that nobody tries again. */
  function tellFailure(out: EventBody[]): void {
    if (failure === undefined) return;
    out.push({ type: "error", message: failure.message, from: [failure.from] });
    failure = undefined;
  }

  /** Where there is no `agent_settled`, only the end of the stream tells that an `agent_end` was the last one. */
  function end(): readonly EventBody[] {
    const out: EventBody[] = [];
    tellFailure(out);
    if (ended === undefined || last === undefined || (settles && last.outcome === "completed")) return out;
    out.push({ type: "result", outcome: last.outcome, reason: last.reason ?? "agent_end", from: [ended] });
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
    /** Something came that no version without `agent_settled` prints. */
    willSettle(): void {
      settles = true;
    },
  };
}
