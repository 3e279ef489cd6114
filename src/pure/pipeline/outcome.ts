import type { EventBody, ExitRecord, RunStatus, Stop, ToolEndBody } from "../events/index.ts";

export interface Outcome {
  readonly status: RunStatus | null;
  readonly reason: string;
}

/** What a run is whose end was ours, unless it had told its result before. */
const STOPPED: Readonly<Record<Stop, Outcome>> = {
  timeout: { status: "timed_out", reason: "timeout" },
  idle: { status: "hung", reason: "idle-timeout" },
  cancel: { status: "canceled", reason: "canceled" },
  "after-result": { status: "failed", reason: "exit-forced" },
  log: { status: "failed", reason: "log-write" },
  "not-started": { status: "failed", reason: "not-started" },
  "recorder-died": { status: "crashed", reason: "recorder-died" },
};

/** Stops that a result told before them outlives: the work was done, only the process had to be ended. */
const OUTLIVED = new Set<Stop>(["timeout", "idle", "after-result"]);

/** Those that are told to the agent as a cancel first, where it can be told: that it then says so is no claim of its own. */
const TOLD_AS_CANCEL = new Set<Stop>(["timeout", "idle"]);

/** Facts after which nobody can vouch for the recording. */
const EVIDENCE_LOST = new Set(["raw-truncated", "evidence-lost"]);

/** The agent has ended without an answer to what it was asked, whatever else it said. */
const UNANSWERED = "unanswered";

/** Signals by which somebody asks a program to stop; the shell reports them as 128 + n. */
const STOP_SIGNALS = new Set(["SIGHUP", "SIGINT", "SIGTERM"]);
const STOP_CODES = new Set([129, 130, 143]);
/** SIGQUIT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGPIPE: nobody asked. Other codes over 128 are codes: Gemini's 145 is HTTP 401. */
const CRASH_CODES = new Set([131, 132, 134, 135, 136, 137, 139, 141]);

/** How far back a refusal that is told late can be dated. */
const MOST_FAILURES = 64;

/**
 * Collects what bears on how a run ended and applies the truth table of docs/explanation/status.md. An exit code is a claim, not a
 * fact: a missing terminal record, an error record or a refused permission outweighs exit code 0.
 */
export function outcomeLedger(hasTerminalRecord: boolean) {
  let claim: Outcome | undefined;
  let pending = false; // the claim is not the agent's last word
  let lost = false;
  let unanswered = false;
  let refused = false;
  let acted = 0; // how often a call has changed the world
  const failures: { readonly callId: string; readonly acted: number }[] = []; // the last failed calls, and what `acted` was then
  let failed = 0;

  return {
    /** `acts` tells whether a call that ended could change the world; reading on after a refusal is not getting on. */
    see(body: EventBody, acts = false): void {
      if (body.type === "result" && body.outcome !== undefined) {
        claim = { status: body.outcome, reason: body.reason ?? `claimed-${body.outcome}` };
        pending = body.pending === true;
      } else if (body.type === "permission-decision") {
        // A refusal told only at the end (Claude's `permission_denials`) is as old as the failure of its call.
        const failure = body.decision === "deny" ? failures.find(({ callId }) => callId === body.callId) : undefined;
        refused = body.decision === "deny" && (failure === undefined || failure.acted === acted);
      } else if (body.type === "tool-end" && acts && anySuccess(body)) {
        refused = false;
        acted++;
      } else if (body.type === "tool-end" && body.success === false) failures[failed++ % MOST_FAILURES] = { callId: body.callId, acted };
    },

    /** What the recorder itself noticed. */
    notice(code: string): void {
      lost ||= EVIDENCE_LOST.has(code);
      unanswered ||= code === UNANSWERED;
    },

    decide(exit: ExitRecord | undefined): Outcome {
      const outcome = decideBy(exit);
      if (outcome.status !== "completed") return outcome;
      if (lost) return { status: "failed", reason: "evidence-lost" };
      return unanswered ? { status: "failed", reason: UNANSWERED } : outcome;
    },
  };

  function decideBy(exit: ExitRecord | undefined): Outcome {
    const byUs = exit?.stopped;
    const isEcho = byUs !== undefined && TOLD_AS_CANCEL.has(byUs) && claim?.status === "canceled";
    const hasResult = claim !== undefined && !pending && !isEcho;
    if (byUs !== undefined && !(hasResult && OUTLIVED.has(byUs))) return STOPPED[byUs];
    const code = byUs === undefined ? (exit?.exitCode ?? null) : null; // how it ended was our doing: it tells nothing
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
