// Our own agents, which print the events of specification 002: `native`, a model with tools, and `rlm`, a model that writes programs.
// src/work/native prints the lines; docs/reference/agents/native.md describes them.

import {
  firstNumber,
  HarnessError,
  type JsonObject,
  keyVariables,
  modelAddress,
  nothing,
  numberOf,
  stringOf,
  wordOf,
} from "../../base/index.ts";
import type { HarnessEvent, PromptBundle, RunStatus } from "../../events/index.ts";
import {
  type Agent,
  askedFor,
  type Command,
  type LineTranslator,
  type RunContext,
  type Task,
  type Translated,
} from "../../pipeline/index.ts";
import { apiFailure } from "../api-failure.ts";
import { nativeProviders } from "../providers.ts";
import { nativeCalls } from "./calls.ts";
import { NATIVE, RLM } from "./names.ts";

// ── state ───────────────────────────────────────────────────────────────────────────────────────────────────────────

interface Run {
  /** The subagent that runs here or asks its model; absent for the main thread. */
  readonly subagent?: string;
  /** The call that a subagent answers. */
  readonly callId?: string;
  readonly isModel: boolean;
}

interface State {
  /** The run that the others work for. */
  main: string | undefined;
  readonly runs: Map<string, Run>;
  /** The call of each running program, by run id. */
  readonly programs: Map<string, string>;
  /** The main thread's last text. */
  answer: string | undefined;
  answerOf: string | undefined;
  /** The main thread's last error. */
  trouble: { readonly message: string; readonly code?: string } | undefined;
}

// ── invocation ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** The prompt goes to stdin. MCP servers may contain secrets, so they go into the environment. */
function commandOf(kind: string, task: Task): Command {
  const args = ["--harness", kind];
  if (task.model !== undefined) args.push("--model", task.model);
  if (task.permissions !== undefined) args.push("--permissions", task.permissions);
  if (task.maxTurns !== undefined) args.push("--max-turns", String(task.maxTurns));
  if (task.systemPrompt !== undefined) args.push("--system-prompt", task.systemPrompt);
  if (task.appendSystemPrompt !== undefined) args.push("--append-system-prompt", task.appendSystemPrompt);
  for (const rule of task.allow ?? []) args.push("--allow", rule);
  for (const rule of task.deny ?? []) args.push("--deny", rule);
  if (task.hook !== undefined) args.push("--decisions", task.hook);
  if (task.history !== undefined) args.push("--history", task.history);
  if (task.resumeAt !== undefined) args.push("--at", task.resumeAt);
  const env: Record<string, string> = task.mcp === undefined ? {} : { HARNESS_NATIVE_MCP: JSON.stringify(task.mcp) };
  const isPriced = kind === NATIVE && task.model?.startsWith("openrouter/") === true; // it reports what an answer cost
  if (task.maxBudgetUsd !== undefined && isPriced) args.push("--max-budget-usd", String(task.maxBudgetUsd));
  const ignored = askedFor(
    task,
    ...(isPriced ? [] : (["maxBudgetUsd"] as const)),
    "effort",
    "commandLine",
    ...(kind === RLM ? (["mcp"] as const) : []),
  );
  return { args: [...args, ...(task.extraArgs ?? [])], stdin: task.prompt, env, ignored, resumes: true };
}

/** An unknown model or a missing key is not the agent's failure. */
function check({ model }: Task, environment: Readonly<Record<string, string | undefined>>): void {
  const asked = model ?? environment["HARNESS_MODEL"];
  if (asked === undefined)
    throw new HarnessError("usage", "No model given. Set `model`, for example anthropic/claude-sonnet-5 or openrouter/qwen/qwen3-coder.", {
      option: "model",
    });
  modelAddress(asked, { environment });
}

// ── translation ─────────────────────────────────────────────────────────────────────────────────────────────────────

function open(context: RunContext): LineTranslator {
  const calls = nativeCalls();
  calls.workIn(context.cwd);
  const state: State = {
    main: undefined,
    runs: new Map(),
    programs: new Map(),
    answer: undefined,
    answerOf: undefined,
    trouble: undefined,
  };

  /** The first event of a line carries the raw line. A line without events becomes a notice. */
  function push(line: JsonObject): readonly Translated[] {
    if (line["type"] === "harness_session") return session(line);
    const out: Translated[] = [];
    const runId = wordOf(line["runId"]);
    const type = wordOf(line["type"]);
    if (runId === undefined || type === undefined || !translate(out, type, line, runId)) return [{ type: "unknown", raw: without(line) }];
    const said = line as unknown as HarnessEvent;
    const first = out.findIndex((body) => body.type !== "pause");
    if (first < 0) return [...out, { type: "notice", kind: type, said }];
    return out.map((body, i) => (i === first ? ({ ...body, said } as Translated) : body));
  }

  /** Returns false for a line it cannot read. */
  function translate(out: Translated[], type: string, line: JsonObject, runId: string): boolean {
    const parent = state.runs.get(runId)?.subagent;
    switch (type) {
      case "harness_start":
        return start(out, line, runId);
      case "harness_end":
        return end(out, line, runId);
      case "text":
      case "reasoning":
        return piece(out, type, line, parent);
      case "tool_call":
        return calls.start(out, line, parent);
      case "tool_result":
        return calls.end(out, line, parent);
      case "tool_progress":
        out.push({ type: "tool-progress", callId: wordOf(line["toolCallId"]), parent }); // the line holds command output
        return true;
      case "relay":
        return calls.ask(out, line, parent);
      case "usage":
        return usage(out, line, parent);
      case "error":
        return trouble(out, line, runId, parent);
      case "user":
        return user(out, line, parent);
      case "compaction":
        return compaction(out, line, parent);
      case "repl_input":
        return program(out, line, runId, parent);
      case "repl_progress":
        out.push({ type: "tool-progress", callId: state.programs.get(runId), parent });
        return true;
      case "repl_output":
        return programEnd(out, line, runId, parent);
      default:
        return false;
    }
  }

  function session(line: JsonObject): readonly Translated[] {
    const [sessionId, model, cwd, agentVersion] = ["sessionId", "model", "cwd", "version"].map((key) => wordOf(line[key]));
    calls.workIn(cwd);
    return [{ type: "session", sessionId, model, cwd, agentVersion, promptBundle: promptBundle(line) }];
  }

  function promptBundle({ system, tools, promptSha256 }: JsonObject): PromptBundle | undefined {
    if (typeof system !== "string" || !Array.isArray(tools)) return undefined;
    return { system, tools: tools.filter((tool) => typeof tool === "string"), sha256: wordOf(promptSha256) };
  }

  // runs ──────────────────────────────────────────────────────────────────────

  function start(out: Translated[], line: JsonObject, runId: string): boolean {
    const parentId = wordOf(line["parentId"]);
    const above = parentId === undefined ? undefined : state.runs.get(parentId);
    const isModel = line["agent"] === "provider";
    if (state.main === undefined && (!isModel || parentId === undefined)) {
      state.main = runId;
      state.runs.set(runId, { isModel });
      return true;
    }
    const isAskedByProgram = [...state.programs.values()].includes(parentId ?? ""); // then it answers the program, not the user
    if (isModel && !isAskedByProgram) {
      state.runs.set(runId, { isModel, ...(above?.subagent !== undefined && { subagent: above.subagent }) });
      return true;
    }
    state.runs.set(runId, { isModel, subagent: runId, callId: parentId });
    const name = isModel ? "llm_query" : wordOf(line["agent"]);
    out.push({ type: "subagent-start", subagentId: runId, name, callId: parentId });
    return true;
  }

  function end(out: Translated[], line: JsonObject, runId: string): boolean {
    const run = state.runs.get(runId);
    const reason = wordOf(line["reason"]);
    if (reason === undefined) return false;
    if (reason === "error") out.push({ type: "pause", partial: true });
    state.runs.delete(runId);
    if (runId === state.main) result(out, reason, numberOf(line["iterations"]));
    else if (run?.subagent === runId) {
      const isDone = reason !== "error";
      out.push({ type: "subagent-end", subagentId: runId, callId: run.callId, success: isDone });
    }
    return true;
  }

  function result(out: Translated[], reason: string, turns: number | undefined): void {
    const { trouble: why, answer: text } = state;
    const message =
      reason === "max_iterations" ? "The agent used up its turns" : (why?.message ?? "The agent failed without giving a reason");
    const isCanceled = reason === "error" && why?.code === "canceled";
    if (reason !== "final" && !isCanceled) out.push({ type: "error", message, code: reason === "error" ? why?.code : "max_turns" });
    const outcome = outcomeOf(reason, why);
    out.push({ type: "result", outcome, reason: reason === "error" ? (why?.code ?? reason) : reason, text, turns });
  }

  // text ──────────────────────────────────────────────────────────────────────

  function piece(out: Translated[], type: "text" | "reasoning", line: JsonObject, parent: string | undefined): boolean {
    const [messageId, text] = [wordOf(line["id"]), stringOf(line["content"])];
    if (messageId === undefined || text === undefined) return false;
    out.push({ type: "piece", role: type === "text" ? "assistant" : undefined, text, messageId, parent, live: true });
    if (type === "text" && parent === undefined) {
      const answerOf = wordOf(line["runId"]); // one call of a model: its answer may have several blocks of text
      state.answer = state.answerOf === answerOf ? `${state.answer}${text}` : text;
      state.answerOf = answerOf;
    }
    return true;
  }

  function user(out: Translated[], line: JsonObject, parent: string | undefined): boolean {
    const text = stringOf(line["content"]);
    if (text === undefined) return false;
    out.push({ type: "message", role: "user", text, parent });
    return true;
  }

  function compaction(out: Translated[], line: JsonObject, parent: string | undefined): boolean {
    const summary = stringOf(line["content"]);
    if (summary === undefined) return false;
    out.push({ type: "compaction", trigger: wordOf(line["trigger"]), tokensBefore: numberOf(line["tokensBefore"]), summary, parent });
    return true;
  }

  function usage(out: Translated[], line: JsonObject, parent: string | undefined): boolean {
    const count = (key: string) => numberOf(line[key]) ?? null;
    const tokens = {
      input: count("inputTokens"),
      cacheRead: count("cacheReadTokens"),
      cacheWrite: count("cacheCreationTokens"),
      output: count("outputTokens"),
      reasoning: null, // part of the output
    };
    out.push({ type: "usage", scope: "step", tokens, costUsd: firstNumber(line, ["costUsd"]), covers: "run", parent });
    return true;
  }

  /** A failed model may be asked again. Only the end shows whether it was final. */
  function trouble(out: Translated[], line: JsonObject, runId: string, parent: string | undefined): boolean {
    const message = stringOf(line["message"]);
    if (message === undefined) return false;
    const code = wordOf(line["code"]);
    if (parent === undefined && code !== "output_limit" && code !== "retry") state.trouble = { message, code };
    if (code === "canceled") return true; // the runner reports it
    const isModel = state.runs.get(runId)?.isModel === true;
    if (isModel) out.push({ type: "pause", partial: true }); // its text broke off, and may come again
    out.push({ type: "warning", message, code: isModel ? "model_failed" : (code ?? "failed"), parent });
    return true;
  }

  // programs ──────────────────────────────────────────────────────────────────

  function program(out: Translated[], line: JsonObject, runId: string, parent: string | undefined): boolean {
    const [callId, code] = [wordOf(line["id"]), stringOf(line["code"])];
    if (callId === undefined || code === undefined) return false;
    state.programs.set(runId, callId);
    const request = { name: "repl", input: { code } };
    out.push({ type: "tool-start", callId, tool: "repl", input: { code }, operations: nothing, request, parent });
    return true;
  }

  function programEnd(out: Translated[], line: JsonObject, runId: string, parent: string | undefined): boolean {
    const callId = state.programs.get(runId) ?? wordOf(line["id"]);
    if (callId === undefined) return false;
    state.programs.delete(runId);
    const error = stringOf(line["error"]);
    const output = [stringOf(line["stdout"]), error].filter((text) => text !== undefined && text !== "").join("\n");
    out.push({ type: "tool-end", callId, success: error === undefined, output, parent });
    return true;
  }

  // ── end ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

  return { push, end: () => nothing };
}

function outcomeOf(reason: string, why: State["trouble"]): RunStatus {
  if (reason === "final") return "completed";
  if (reason !== "error") return "failed";
  return why?.code === "canceled" ? "canceled" : apiFailure(undefined, why?.message);
}

/** An unreadable line without the fields that hold tool results. */
function without(line: JsonObject): JsonObject {
  const { output: _, content: __, stdout: ___, ...rest } = line;
  return rest;
}

function own(id: string, title: string): Agent {
  return {
    id,
    title,
    binaries: [],
    inside: true,
    hook: "socket",
    credentials: keyVariables,
    providers: nativeProviders,
    terminal: true,
    check,
    command: (task) => commandOf(id, task),
    open,
  };
}

export const native: Agent = own(NATIVE, "Harness's own agent");
export const rlm: Agent = own(RLM, "Harness's own recursive language model");
