import { nothing, type Translator } from "../../base/index.ts";
import {
  type BodyOf,
  type Call,
  type Event,
  type HarnessEvent,
  noTokens,
  type RunEndBody,
  type Tokens,
  type ToolOutput,
  tokensSince,
  type Usage,
} from "../../events/index.ts";
import { exitMessage, runSummary, type View, type ViewOptions } from "../../pipeline/index.ts";
import { type ConversationRun, conversationRun } from "./run.ts";

export const conversation: View<HarnessEvent> = {
  id: "conversation",
  title: "What was said and done, with each subagent as its own run",
  open,
};

/** The events of an in-process run pass unchanged; those of a CLI are built from its output. */
function open(options: ViewOptions = {}): Translator<Event, HarnessEvent> {
  const summary = runSummary();
  const main = conversationRun(options.evaluated?.id ?? "run", 0);
  const runs = new Map<string, ConversationRun>();
  const parents = new Map<string, string>(); // by run: the call or run that a subagent works for
  const denied = new Map<number, string>(); // by the number of the call's start, while it is open
  const progress = new Map<number, number>();
  let start: BodyOf<"run-start"> | undefined;
  let model: string | undefined;
  let prompt: string | undefined; // until the agent has echoed it
  let hasBegun = false;
  let isNative = false;
  let reported: Tokens = noTokens;
  let reportedCost: number | null = null;
  let turns: number | undefined;
  let out: HarnessEvent[] = [];

  /** The first event waits for the line that names the model. */
  function begin(): void {
    if (hasBegun) return;
    hasBegun = true;
    const named = model ?? start?.model;
    out.push({
      type: "harness_start",
      runId: main.runId,
      depth: 0,
      agent: start?.agent ?? "unknown",
      ...(named === undefined ? {} : { model: named }),
    });
    if (start?.prompt !== undefined) out.push(main.user(start.prompt));
  }

  function emit(event: HarnessEvent | undefined): void {
    if (event === undefined) return;
    begin();
    const parentId = parents.get(event.runId);
    if (parentId === undefined) return void out.push(event);
    const { type, runId, ...rest } = event;
    out.push({ type, runId, parentId, ...rest } as unknown as HarnessEvent);
  }

  /** The run of the main thread, or of a subagent. An unannounced subagent begins with its first event. */
  function runOf(subagent: string | undefined): ConversationRun {
    if (subagent === undefined) return main;
    return runs.get(subagent) ?? startRun(subagent, main.runId, 1);
  }

  function startRun(subagent: string, parentId: string, depth: number, name?: string): ConversationRun {
    begin();
    const run = conversationRun(`${main.runId}/${subagent}`, depth);
    runs.set(subagent, run);
    parents.set(run.runId, parentId);
    emit({ type: "harness_start", runId: run.runId, depth, ...(name === undefined ? {} : { agent: name }) });
    return run;
  }

  function runOfCall({ start }: Call): ConversationRun {
    return runOf(start.body.parent);
  }

  function idOf({ callId }: { readonly callId: string }): string {
    return `${main.runId}/${callId}`;
  }

  function subagentStart({ subagentId, name, parent, description }: BodyOf<"subagent-start">, call: Call | undefined): void {
    if (runs.has(subagentId)) return;
    const above = call === undefined ? runOf(parent) : runOfCall(call);
    startRun(subagentId, call === undefined ? above.runId : idOf(call.start.body), above.depth + 1, name ?? description);
  }

  function subagentEnd({ subagentId, success }: BodyOf<"subagent-end">): void {
    const run = runOf(subagentId);
    if (!run.ended) emit(run.end(success === false ? "error" : "final"));
  }

  function toolStart(body: BodyOf<"tool-start">): void {
    const run = runOf(body.parent);
    run.called();
    emit({ type: "tool_call", runId: run.runId, id: idOf(body), name: body.tool, input: body.input ?? null });
  }

  function toolEnd(body: BodyOf<"tool-end">, call: Call | undefined): void {
    const run = call === undefined ? runOf(body.parent) : runOfCall(call);
    const seq = call?.start.seq ?? 0;
    run.answered();
    const name = call?.start.body.tool ?? "unknown";
    emit({ type: "tool_result", runId: run.runId, id: idOf(body), name, output: outputOf(body, denied.get(seq)) });
    denied.delete(seq);
    progress.delete(seq);
  }

  function toolProgress({ message, state }: BodyOf<"tool-progress">, call: Call | undefined): void {
    const content = message ?? state;
    if (call === undefined || content === undefined) return;
    const { seq, body } = call.start;
    const id = idOf(body);
    const count = (progress.get(seq) ?? 0) + 1;
    progress.set(seq, count);
    const { runId } = runOfCall(call);
    emit({ type: "tool_progress", runId, id: `${id}/progress-${count}`, toolCallId: id, name: body.tool, content });
  }

  function permissionRequest({ tool }: BodyOf<"permission-request">, call: Call | undefined): void {
    if (call === undefined) return;
    const { body } = call.start;
    const id = idOf(body);
    const { runId } = runOfCall(call);
    const asked = { tool: tool ?? body.tool, params: body.input };
    emit({ type: "relay", runId, kind: "permission", id: `${id}/permission`, toolCallId: id, ...asked });
  }

  function usage({ parent, covers = "main", incomplete }: BodyOf<"usage">): void {
    const { tokens, costUsd: cost } = summary.used;
    const used = usageOf(tokensSince(reported, tokens), cost === null ? null : difference(cost, reportedCost ?? 0));
    reported = tokens;
    reportedCost = cost;
    if (Object.values(used).some((count) => count !== null && count !== 0))
      emit(runOf(parent).usage({ ...used, covers, ...(incomplete && { incomplete }) }));
  }

  function message({ role, text, parent, repeats }: BodyOf<"message">): void {
    if (text === "" || role === "system") return;
    if (role === "assistant") emit(runOf(parent).whole("text", text, repeats === true));
    else if (parent === undefined && text === prompt) prompt = undefined;
    else emit(runOf(parent).user(text));
  }

  function runEnd(body: RunEndBody): void {
    const gone = exitMessage(body);
    if (gone !== undefined) emit(main.error(gone, "process_error"));
    const { output } = summary.summary();
    // Structured output and single-document modes put the answer only in the result; it becomes a text.
    if (main.isSilent && output !== null) emit(main.whole("text", output, false));
    const reason = body.status === "completed" ? "final" : isTurnLimit(body.reason) ? "max_iterations" : "error";
    for (const run of runs.values()) if (!run.ended) emit(run.end(reason === "final" ? "final" : "error"));
    emit(main.end(reason, turns));
  }

  /** Events that 002 has no type for (plans, warnings, notices, unknown lines …) are left to the other views. */
  function project({ body, call }: Event): void {
    switch (body.type) {
      case "run-start":
        start = body;
        prompt = body.prompt;
        return;
      case "session":
        model ??= body.model;
        return;
      case "text-delta":
        return emit(runOf(body.parent).delta("text", body.text, body.messageId));
      case "reasoning-delta":
        return emit(runOf(body.parent).delta("reasoning", body.text, body.messageId));
      case "message":
        return message(body);
      case "reasoning":
        return body.text === "" ? undefined : emit(runOf(body.parent).whole("reasoning", body.text, false));
      case "tool-start":
        return toolStart(body);
      case "tool-progress":
        return toolProgress(body, call);
      case "tool-end":
        return toolEnd(body, call);
      case "subagent-start":
        return subagentStart(body, call);
      case "subagent-end":
        return subagentEnd(body);
      case "permission-request":
        return permissionRequest(body, call);
      case "permission-decision":
        if (call !== undefined && body.decision === "deny") denied.set(call.start.seq, body.reason ?? "");
        return;
      case "usage":
        return usage(body);
      case "result":
        if (body.turns !== undefined) turns = (turns ?? 0) + body.turns;
        return;
      case "error":
        return emit(runOf(body.parent).error(body.message, body.code));
      case "run-end":
        return runEnd(body);
    }
  }

  return {
    push(event) {
      const { body } = event;
      if (body.said !== undefined) {
        isNative = true;
        return [body.said];
      }
      if (isNative) return nothing;
      summary.see(event);
      project(event);
      if (out.length === 0) return nothing;
      const given = out;
      out = [];
      return given;
    },
    end: () => nothing,
  };
}

function outputOf({ success, output, exitCode, interrupted }: BodyOf<"tool-end">, denied: string | undefined): ToolOutput {
  if (denied !== undefined) return { status: "denied", reason: denied };
  if (interrupted) return { error: "The run ended before the call did" };
  if (success === false) return { error: output ?? "" };
  return { context: output ?? "", result: exitCode === undefined ? null : { exitCode, ...(success === undefined ? {} : { success }) } };
}

function usageOf({ input, output, reasoning, cacheRead, cacheWrite }: Tokens, costUsd: number | null): Usage {
  return {
    inputTokens: input,
    outputTokens: reasoning === null ? output : (output ?? 0) + reasoning,
    ...(cacheRead === null ? {} : { cacheReadTokens: cacheRead }),
    ...(cacheWrite === null ? {} : { cacheCreationTokens: cacheWrite }),
    ...(costUsd === null ? {} : { costUsd }),
  };
}

/** Rounds away binary subtraction noise. */
function difference(a: number, b: number): number {
  return Number((a - b).toPrecision(12));
}

function isTurnLimit(reason: string): boolean {
  return reason === "max_turns" || reason === "FatalTurnLimitedError";
}
