import {
  type CommandObservedBody,
  type CommandsObservedBody,
  type Event,
  type FilesChangedBody,
  type ModelLedgerBody,
  type Operation,
  type RunEndBody,
  succeeded,
  type Tokens,
} from "../../events/index.ts";
import { runSummary } from "../../pipeline/index.ts";
import { type TestReport, testReport } from "../../shell/index.ts";
import { type Claim, claimsIn } from "./claims.ts";

/** A tool call as reported by the agent. */
export interface DeclaredCall {
  readonly events: readonly number[];
  readonly tool: string;
  /** From the last event before the call to its reported end: many agents report a call only after it ended. */
  readonly from: number;
  readonly to: number;
  readonly operations: readonly DeclaredOperation[];
  /** Its effects are unknown: a command, or a tool we do not know. */
  readonly isOpaque: boolean;
  /** It was sent to the background and may run to the end of the run. */
  readonly isBackground: boolean;
  readonly exitCode?: number | undefined;
  /** The totals of a test reporter in its output. */
  readonly report?: TestReport | undefined;
}

export interface DeclaredOperation {
  readonly operation: Operation;
  /** Undefined: not reported. */
  readonly success: boolean | undefined;
}

export interface Numbered<Body> {
  readonly seq: number;
  readonly body: Body;
}

/** Both sides of a run: what the agent reported, and what was observed. */
export interface Account {
  readonly calls: readonly DeclaredCall[];
  /** Its format can report calls, so a missing report means something. */
  readonly reports: boolean;
  /** The final answer, and the number of its last event. */
  readonly answer: string | null;
  readonly answerSeq: number;
  /** What the final answer claims. */
  readonly claims: readonly Claim[];
  /** What the agent was asked to do; empty if that is not known. */
  readonly request: string;
  /** The agent reports a successful end. */
  readonly claimsSuccess: boolean;
  readonly refusals: readonly { readonly seq: number; readonly tool?: string }[];
  readonly end?: RunEndBody;
  /** Paths of the workspace: its location, and the agent's name for it. */
  readonly roots: readonly string[];
  /** The workspace itself, as observed. */
  readonly root?: string;
  readonly files?: Numbered<FilesChangedBody>;
  readonly commands: readonly Numbered<CommandObservedBody>[];
  readonly watched?: Numbered<CommandsObservedBody>;
  /** The reported usage, and the last event that reports it; 0: none. */
  readonly tokens: Tokens;
  /** The agent reports only a part of what the run used. */
  readonly isPartial?: boolean;
  readonly usageSeq: number;
  readonly ledger?: Numbered<ModelLedgerBody>;
}

/** Collects both sides, O(1) per event. */
export function accountFold() {
  const summary = runSummary();
  const calls: DeclaredCall[] = [];
  const begun = new Map<number, number>(); // open calls, with the time of the event before their start
  const roots = new Set<string>();
  let root: string | undefined;
  const refusals: { seq: number; tool?: string }[] = [];
  const commands: Numbered<CommandObservedBody>[] = [];
  let files: Numbered<FilesChangedBody> | undefined;
  let watched: Numbered<CommandsObservedBody> | undefined;
  let ledger: Numbered<ModelLedgerBody> | undefined;
  let usageSeq = 0;
  let end: RunEndBody | undefined;
  let reports = false;
  let answerSeq = 0;
  let request = "";
  let claimsSuccess = false;
  let before = 0; // the time of the last event with a different time
  let now = 0;

  function see(event: Event): void {
    summary.see(event);
    const { seq, at, body } = event;
    if (at !== now) {
      before = now === 0 ? at : now;
      now = at;
    }
    switch (body.type) {
      case "run-start":
        reports = body.plain !== true; // until it shows otherwise
        if (body.cwd !== undefined) roots.add(body.cwd);
        request = body.prompt ?? request;
        break;
      case "observation":
        request = body.request;
        break;
      case "session":
        reports = true;
        if (body.cwd !== undefined) roots.add(body.cwd);
        break;
      case "workspace-prepared":
        roots.add(body.root);
        root = body.root;
        break;
      case "tool-start":
        reports = true;
        begun.set(seq, before);
        break;
      case "tool-end":
        endCall(event);
        break;
      case "message":
        if (body.role === "assistant" && body.parent === undefined) answerSeq = seq;
        break;
      case "result":
        reports = true;
        answerSeq = seq;
        claimsSuccess = body.outcome === undefined || body.outcome === "completed" || body.outcome === "blocked";
        break;
      case "permission-decision":
        if (body.decision === "deny") refusals.push({ seq, ...(body.tool !== undefined && { tool: body.tool }) });
        break;
      case "files-changed":
        if (body.turn === undefined) files = { seq, body };
        break;
      case "command-observed":
        commands.push({ seq, body });
        break;
      case "commands-observed":
        watched = { seq, body };
        break;
      case "usage":
        usageSeq = seq;
        break;
      case "model-ledger":
        ledger = { seq, body };
        break;
      case "run-end":
        end = body;
        break;
    }
  }

  function endCall({ seq, at, body, call }: Event): void {
    if (body.type !== "tool-end" || call === undefined) return;
    const start = call.start.body;
    const from = begun.get(call.start.seq) ?? before;
    for (const { seq } of [call.start, ...call.rivals]) begun.delete(seq);
    const all = body.operations ?? start.operations;
    const operations = all.map((operation, index) => {
      const ending = body.endings?.[index] ?? body;
      return { operation, success: succeeded(operation, ending, all) };
    });
    const texts = all.flatMap((each) => (each.kind === "command" ? [each.command] : []));
    calls.push({
      events: [call.start.seq, seq],
      tool: start.tool,
      from,
      to: at,
      operations,
      report: body.output === undefined ? undefined : testReport(body.output),
      isOpaque: texts.length > 0 || (all.length === 0 && start.silent !== true),
      isBackground: body.success === undefined || body.interrupted === true || texts.some(runsOn) || asksForBackground(start.input),
      exitCode: body.exitCode,
    });
  }

  return {
    see,
    account: (): Account => ({
      calls,
      reports,
      answer: summary.summary().output,
      claims: claimsIn(summary.summary().output ?? ""),
      answerSeq,
      request,
      claimsSuccess,
      refusals,
      roots: [...roots],
      ...(root !== undefined && { root }),
      commands,
      tokens: summary.summary().usage,
      isPartial: summary.summary().partialUsage !== undefined,
      usageSeq,
      ...(ledger && { ledger }),
      ...(files && { files }),
      ...(watched && { watched }),
      ...(end && { end }),
    }),
  };
}

/** A lone `&`, or a program that leaves something running. */
function runsOn(command: string): boolean {
  return /(?<![&>|])&(?![&>])|\b(?:nohup|disown|setsid|daemonize)\b/.test(command.replace(/"[^"]*"|'[^']*'/g, ""));
}

function asksForBackground(input: unknown): boolean {
  if (typeof input !== "object" || input === null) return false;
  return Object.entries(input).some(([key, value]) => /background|detach/i.test(key) && value === true);
}
