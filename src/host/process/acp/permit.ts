import { errorWords, type JsonObject } from "../../../pure/base/index.ts";
import type { FactBody } from "../../../pure/events/index.ts";
import type { Task } from "../../../pure/pipeline/index.ts";
import { askedOf, type OpenCalls, optionFor } from "./asked.ts";
import type { OnPermission, PermissionRequest } from "./permission.ts";
import { byLevel, byRule, type Verdict } from "./policy.ts";

/** The answer to `session/request_permission`. */
export interface PermissionOutcome {
  readonly outcome: { readonly outcome: "cancelled" } | { readonly outcome: "selected"; readonly optionId: string };
}

const CANCELLED: PermissionOutcome = { outcome: { outcome: "cancelled" } };

/**
 * Answers permission requests: the user's rules first, then `onPermission`, then the permission level. Every decision is recorded before
 * the agent learns of it. While the turn is being canceled, or after the agent is gone, nothing is decided.
 */
export function permit(
  task: Task,
  calls: OpenCalls,
  onPermission: OnPermission | undefined,
  record: (fact: FactBody) => void,
  canceled: AbortSignal,
) {
  async function verdictOf(request: PermissionRequest): Promise<Verdict> {
    const rule = byRule(request, task);
    if (rule !== undefined) return rule;
    if (onPermission === undefined) return byLevel(request, task.permissions ?? "default");
    try {
      const answer = await onPermission(request, canceled);
      const { decision, reason, optionId } = typeof answer === "string" ? { decision: answer } : answer;
      if (decision !== "allow" && decision !== "deny") return { decision: "deny", reason: "onPermission gave no decision" };
      return { decision, reason: typeof reason === "string" ? reason : "onPermission", optionId };
    } catch (error) {
      return { decision: "deny", reason: `onPermission failed: ${errorWords(error)}` };
    }
  }

  return async (params: JsonObject): Promise<PermissionOutcome> => {
    const request = askedOf(params, calls);
    const verdict = await unlessAborted(verdictOf(request), canceled);
    if (verdict === undefined) return CANCELLED;
    const { callId, tool, options } = request;
    const offered = options.find(({ id }) => id === verdict.optionId)?.id ?? optionFor(verdict.decision, options);
    const isOffered = offered !== undefined || verdict.decision === "deny"; // a denial without an option is sent as a cancel
    const decision = isOffered ? verdict.decision : "deny";
    const reason = isOffered ? verdict.reason : "the agent offered no option to allow it";
    record({ type: "permission-decision", ...(callId && { callId }), ...(tool && { tool }), decision, reason });
    return offered === undefined ? CANCELLED : { outcome: { outcome: "selected", optionId: offered } };
  };
}

/** Undefined as soon as the signal is aborted. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
