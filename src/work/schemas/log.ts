import { z } from "zod";
import { EVENT_VERSION } from "../../pure/events/index.ts";
import type { LogRecord, Refs } from "../../pure/views/index.ts";
import { observed, stop } from "./observed.ts";
import { operation } from "./operation.ts";
import { count, epochMs, type Fields, ordinal, rangeRefs, role, runStatus, streamName, tokens } from "./parts.ts";
import type { Same } from "./same.ts";
import { type ObjectOf, type RecordOf, schema } from "./schema.ts";

const text = () => z.string();
const maybe = () => z.string().exactOptional();

function record(object: ObjectOf) {
  const operations = z.array(operation(object));
  const usage = tokens(object);
  const status = runStatus();
  const facts = observed(object, usage);
  const envelope = envelopeOf(object);
  const promptBundle = object({ system: text(), tools: z.array(text()), sha256: maybe() })
    .exactOptional()
    .describe("Of an agent of our own: what its model is told before anything else");

  function event<Name extends string, F extends Fields>(type: Name, fields: F) {
    return object({ type: z.literal(type), ...fields, ...envelope });
  }

  return z.discriminatedUnion("type", [
    event("run-start", {
      agent: text(),
      product: maybe().describe("What the agent's product is called, if that is not its id"),
      inside: flag().describe("It is part of this package, and says all that it does"),
      plain: flag().describe("It prints plain text, which does not report what it does"),
      runId: maybe(),
      cwd: maybe(),
      model: maybe(),
      prompt: maybe(),
    }),
    event("session", { sessionId: maybe(), model: maybe(), cwd: maybe(), agentVersion: maybe(), promptBundle }),
    event("text-delta", { text: text(), messageId: maybe() }),
    event("reasoning-delta", { text: text(), messageId: maybe() }),
    event("message", {
      role: role(),
      text: text(),
      messageId: maybe(),
      repeats: flag().describe("The same words again, because the agent's request was retried"),
    }),
    event("reasoning", { text: text(), redacted: flag() }),
    event("tool-start", {
      callId: text(),
      tool: text(),
      input: z.unknown(),
      operations,
      request: z.unknown().exactOptional().describe("The request as the agent wrote it, for a call without operations"),
      silent: flag().describe("No activity: the activity view leaves this call out"),
    }),
    event("tool-progress", { callId: maybe(), message: maybe(), state: maybe() }),
    event("tool-end", {
      callId: text(),
      success: z.boolean().exactOptional().describe("Absent: not told, or neither"),
      exitCode: z.number().exactOptional(),
      output: maybe(),
      interrupted: flag().describe("The stream ended before the call did"),
      operations: operations.exactOptional().describe("What the result knows better than the request did"),
      endings: z
        .array(object({ success: z.boolean().exactOptional(), exitCode: z.number().exactOptional() }))
        .exactOptional()
        .describe("How each operation ended, in their order, where the agent tells them one by one and they ended differently"),
    }),
    event("plan", { items: z.array(planItem(object)) }),
    event("subagent-start", { subagentId: text(), name: maybe(), callId: maybe(), description: maybe() }),
    event("subagent-end", { subagentId: text(), name: maybe(), callId: maybe(), success: z.boolean().exactOptional() }),
    event("permission-request", { callId: maybe(), tool: maybe() }),
    event("permission-decision", { callId: maybe(), tool: maybe(), decision: z.enum(["allow", "deny"]), reason: maybe() }),
    event("compaction", { trigger: maybe(), tokensBefore: z.number().exactOptional() }),
    event("notice", { kind: text(), message: maybe() }),
    event("usage", {
      scope: z.enum(["total", "step"]).describe("total replaces what was told before, step is added to it"),
      tokens: usage,
      costUsd: z.number().exactOptional(),
    }),
    event("result", {
      outcome: status.unwrap().exactOptional().describe("What the agent claims about its end"),
      reason: maybe(),
      text: maybe(),
      durationMs: z.number().exactOptional(),
      turns: z.number().exactOptional(),
      pending: flag().describe("Work goes on in the background: this is not the last word"),
    }),
    event("warning", { message: text(), code: maybe() }),
    event("error", { message: text(), code: maybe() }),
    object({
      type: z.literal("unknown"),
      truncated: flag().describe("The stream ended in the middle of this line"),
      oversize: flag().describe("raw is only the beginning of a very long line"),
      encoding: z.literal("base64").exactOptional().describe("raw is the base64 of bytes that are not text"),
      ...envelope,
      raw: z.unknown(),
    }),
    event("observation", facts.observation),
    event("workspace-prepared", facts["workspace-prepared"]),
    event("process-started", facts["process-started"]),
    event("process-observed", facts["process-observed"]),
    event("artifact", facts.artifact),
    event("files-changed", facts["files-changed"]),
    event("command-observed", facts["command-observed"]),
    event("commands-observed", facts["commands-observed"]),
    event("model-ledger", facts["model-ledger"]),
    event("check", facts.check),
    event("evaluation", facts.evaluation),
    event("run-end", {
      status,
      reason: text().describe("Which row of the truth table decided the status"),
      exitCode: z.int().nullable(),
      signal: text().nullable(),
      durationMs: z.number().nullable(),
      stopped: stop().exactOptional().describe("Why it was ended from outside; absent where the agent ended by itself"),
      tail: maybe().describe("The last words of a run that did not end well"),
    }),
  ]);
}

/** What every event has, or may have. */
function envelopeOf(object: ObjectOf) {
  return {
    seq: ordinal().describe("Events are counted from 1"),
    at: epochMs(),
    from: z.array(recordRef(object)).describe("The records it came from"),
    provenance: z
      .enum(["observed", "declared", "derived", "unknown"])
      .describe("Who says so: we saw it, the agent told it, a rule concluded it, nobody"),
    parent: maybe().describe("The subagent this belongs to; absent for the main thread"),
    raw: z.unknown().exactOptional().describe("The agent's own words for what the activity view has no type for"),
    rule: maybe().describe("The rule that concluded it"),
    ...rangeRefs(),
  };
}

function recordRef(object: ObjectOf) {
  return object({
    record: ordinal().describe("Records are counted from 1"),
    stream: streamName(),
    offset: count(),
    length: count().describe("Without the newline"),
  }).meta({ id: "RecordRef", description: "Where in the raw bytes a line stands" });
}

function planItem(object: ObjectOf) {
  return object({ text: text(), status: z.enum(["pending", "in_progress", "completed", "unknown"]) }).meta({ id: "PlanItem" });
}

/** Present and true, or absent. */
function flag() {
  return z.literal(true).exactOptional();
}

// `seq` and `callId` are the event's own; `--refs` adds only the byte range.
true satisfies Same<RecordOf<typeof record>, LogRecord & Partial<Pick<Refs, "stream" | "offset" | "length">>>;

export const log = schema({
  name: "log",
  version: EVENT_VERSION,
  title: "Event",
  description: "One inner event: what every other view is made of. Unset optional fields are left out.",
  record,
});
