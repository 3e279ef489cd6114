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

/** A tool call as the agent told it. */
export interface DeclaredCall {
  /** Numbers of the events that tell it. */
  readonly events: readonly number[];
  readonly tool: string;
  /** From the last thing the agent said before it, until its end was told: many agents tell a call only when it is over. */
  readonly from: number;
  readonly to: number;
  readonly operations: readonly DeclaredOperation[];
  /** It may have done anything: a command, or a tool that nobody here sees through. */
  readonly isOpaque: boolean;
  /** It was sent to the background, and may go on to the end of the run. */
  readonly isBackground: boolean;
  readonly exitCode?: number | undefined;
}

export interface DeclaredOperation {
  readonly operation: Operation;
  /** Undefined: not told. */
  readonly success: boolean | undefined;
}

export interface Told<Body> {
  readonly seq: number;
  readonly body: Body;
}

/** Both sides of a run: what the agent says it did, and what was seen of it. */
export interface Account {
  readonly calls: readonly DeclaredCall[];
  /** Its format has words for calls: what it does not report, it could have. */
  readonly reports: boolean;
  /** Its final answer, and the last event of its words. */
  readonly answer: string | null;
  readonly answerSeq: number;
  /** It says that it came to its end well. */
  readonly claimsSuccess: boolean;
  readonly refusals: readonly { readonly seq: number; readonly tool?: string }[];
  readonly end?: RunEndBody;
  /** Names under which the workspace is known: where it is, and what the agent calls it. */
  readonly roots: readonly string[];
  readonly files?: Told<FilesChangedBody>;
  readonly commands: readonly Told<CommandObservedBody>[];
  readonly watched?: Told<CommandsObservedBody>;
  /** What it says it used, and the last event that says so; 0: none does. */
  readonly tokens: Tokens;
  readonly usageSeq: number;
  readonly ledger?: Told<ModelLedgerBody>;
}

/** Collects both sides, O(1) per event. */
export function accountFold() {
  const summary = runSummary();
  const calls: DeclaredCall[] = [];
  const begun = new Map<number, number>(); // of open calls: what was the time before their start
  const roots = new Set<string>();
  const refusals: { seq: number; tool?: string }[] = [];
  const commands: Told<CommandObservedBody>[] = [];
  let files: Told<FilesChangedBody> | undefined;
  let watched: Told<CommandsObservedBody> | undefined;
  let ledger: Told<ModelLedgerBody> | undefined;
  let usageSeq = 0;
  let end: RunEndBody | undefined;
  let reports = false;
  let answerSeq = 0;
  let claimsSuccess = false;
  let before = 0; // the time of the event before those of the current moment
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
        reports = body.plain !== true; // unless it proves to know better
        if (body.cwd !== undefined) roots.add(body.cwd);
        break;
      case "session":
        reports = true;
        if (body.cwd !== undefined) roots.add(body.cwd);
        break;
      case "workspace-prepared":
        roots.add(body.root);
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
      answerSeq,
      claimsSuccess,
      refusals,
      roots: [...roots],
      commands,
      tokens: summary.summary().usage,
      usageSeq,
      ...(ledger && { ledger }),
      ...(files && { files }),
      ...(watched && { watched }),
      ...(end && { end }),
    }),
  };
}

/** A lone `&`, or a program whose business it is to leave something running. */
function runsOn(command: string): boolean {
  return /(?<![&>|])&(?![&>])|\b(?:nohup|disown|setsid|daemonize)\b/.test(command.replace(/"[^"]*"|'[^']*'/g, ""));
}

function asksForBackground(input: unknown): boolean {
  if (typeof input !== "object" || input === null) return false;
  return Object.entries(input).some(([key, value]) => /background|detach/i.test(key) && value === true);
}
