import type { BodyOf, EventBody, ExitRecord, RunStatus, Stop, ToolEndBody } from "../events/index.ts";
import type { Translated } from "./agent.ts";

export interface Outcome {
  readonly status: RunStatus | null;
  readonly reason: string;
}

/** The outcome of a run that we ended, unless it had reported its result before. */
const STOPPED: Readonly<Record<Stop, Outcome>> = {
  timeout: { status: "timed_out", reason: "timeout" },
  idle: { status: "hung", reason: "idle-timeout" },
  cancel: { status: "canceled", reason: "canceled" },
  "after-result": { status: "failed", reason: "exit-forced" },
  log: { status: "failed", reason: "log-write" },
  "not-started": { status: "failed", reason: "not-started" },
  "recorder-died": { status: "crashed", reason: "recorder-died" },
  "out-of-memory": { status: "crashed", reason: "out-of-memory" },
  "over-limit": { status: "crashed", reason: "over-limit" },
};

/** Stops that do not override an earlier result: the work was done, only the process had to be ended. */
const OUTLIVED = new Set<Stop>(["timeout", "idle", "after-result"]);

/** Stops that first send the agent a cancel, if it accepts one. A `canceled` result is then an echo, not the agent's own claim. */
const SENT_AS_CANCEL = new Set<Stop>(["timeout", "idle"]);

/** Facts after which the recording can no longer be trusted. */
const EVIDENCE_LOST = new Set(["raw-truncated", "evidence-lost"]);

/** The agent ended without answering the prompt, whatever else it printed. */
const UNANSWERED = "unanswered";

/** Nothing happened: no answer, no call, not even a line that could not be read. */
const NOTHING = "nothing-happened";

/** Signals that ask a program to stop; the shell reports them as 128 + n. */
const STOP_SIGNALS = new Set(["SIGHUP", "SIGINT", "SIGTERM"]);
const STOP_CODES = new Set([129, 130, 143]);
/** SIGQUIT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGPIPE. Other codes over 128 are not signals: Gemini's 145 is HTTP 401. */
const CRASH_CODES = new Set([131, 132, 134, 135, 136, 137, 139, 141]);

/** How many failed calls are kept to date a denial that is reported late. */
const MOST_FAILURES = 64;

/**
 * Collects the evidence of how a run ended and applies the truth table of docs/explanation/status.md. An exit code is a claim, not a
 * fact: a missing terminal record, an error record or a denied permission outweighs exit code 0.
 */
export function outcomeLedger({ terminal: hasTerminalRecord = false, plain = false }: { terminal?: boolean; plain?: boolean }) {
  let claim: Outcome | undefined;
  let pending = false; // work continues after the claim
  let lost = false;
  let unanswered = false;
  let refused = false;
  let happened = plain; // a command without a format has no way to report what it did
  let acted = 0; // the number of calls that changed something
  const failures: { readonly callId: string; readonly acted: number }[] = []; // the last failed calls, with `acted` at that time
  let failed = 0;

  return {
    claimed({ outcome, reason, pending: goesOn }: BodyOf<"result">): void {
      if (outcome === undefined) return;
      claim = { status: outcome, reason: reason ?? `claimed-${outcome}` };
      pending = goesOn === true;
    },

    /** A denial reported only at the end (Claude's `permission_denials`) dates from the failure of its call. */
    decided({ decision, callId }: BodyOf<"permission-decision">): void {
      const failure = decision === "deny" ? failures.find((each) => each.callId === callId) : undefined;
      refused = decision === "deny" && (failure === undefined || failure.acted === acted);
    },

    /** `acts`: the ended call could change something. After a denial, only reading on is not progress. */
    ended(body: ToolEndBody, acts: boolean): void {
      if (acts && anySuccess(body)) {
        refused = false;
        acted++;
      } else if (body.success === false) failures[failed++ % MOST_FAILURES] = { callId: body.callId, acted };
    },

    /** The agent said or called something, or printed a line that may have been either. */
    happened(): void {
      happened = true;
    },

    /** Takes a fact from the recorder. */
    notice(code: string): void {
      lost ||= EVIDENCE_LOST.has(code);
      unanswered ||= code === UNANSWERED;
    },

    decide(exit: ExitRecord | undefined): Outcome {
      const outcome = decideBy(exit);
      // An agent that destroys the log is stopped because of that: it lost the evidence, not we.
      if (outcome.status !== "completed" && !(lost && outcome === STOPPED.log)) return outcome;
      if (lost) return { status: "failed", reason: "evidence-lost" };
      if (unanswered) return { status: "failed", reason: UNANSWERED };
      return happened ? outcome : { status: "failed", reason: NOTHING };
    },
  };

  function decideBy(exit: ExitRecord | undefined): Outcome {
    const byUs = exit?.stopped;
    const isEcho = byUs !== undefined && SENT_AS_CANCEL.has(byUs) && claim?.status === "canceled";
    const hasResult = claim !== undefined && !pending && !isEcho;
    if (byUs !== undefined && !(hasResult && OUTLIVED.has(byUs))) return STOPPED[byUs];
    const code = byUs === undefined ? (exit?.exitCode ?? null) : null; // if we ended it, its exit code means nothing
    if (claim !== undefined && claim.status !== "completed") return claim;
    const stop = byUs === undefined ? stopped(exit, code) : undefined;
    if (stop !== undefined) return stop;
    if (code !== null && code !== 0) return { status: "failed", reason: "exit-code" };
    if (claim === undefined && hasTerminalRecord) return { status: code === 0 ? "failed" : null, reason: "result-missing" };
    if (refused) return { status: "blocked", reason: "permission-refused" };
    if (claim !== undefined) return claim;
    return code === 0 ? { status: "completed", reason: "exit-code" } : { status: null, reason: "nothing-known" };
  }
}

/** A batch that failed may still have done something. */
function anySuccess({ success, endings }: ToolEndBody): boolean {
  return success === true || (endings?.some((each) => each.success === true) ?? false);
}

function stopped(exit: ExitRecord | undefined, code: number | null): Outcome | undefined {
  const signal = exit?.signal ?? null;
  if (signal !== null) return { status: STOP_SIGNALS.has(signal) ? "canceled" : "crashed", reason: signal };
  if (code === null) return undefined;
  if (STOP_CODES.has(code)) return { status: "canceled", reason: `exit-code-${code}` };
  if (CRASH_CODES.has(code)) return { status: "crashed", reason: `exit-code-${code}` };
  return undefined;
}

/** Whether the run is over, and did not go well. */
export function hasEnd(said: readonly Translated[]): boolean {
  for (const body of said) {
    if (body.type === "result" && body.outcome !== "completed" && body.pending !== true) return true;
    if (body.type === "error" && body.final === true) return true;
  }
  return false;
}

/** The agent said something. */
export function isAnswer(body: EventBody): boolean {
  return body.type === "message" && body.role === "assistant" && body.text !== "";
}
