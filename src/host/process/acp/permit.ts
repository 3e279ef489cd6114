import type { JsonObject } from "../../../pure/base/index.ts";
import type { FactBody } from "../../../pure/events/index.ts";
import type { Task } from "../../../pure/pipeline/index.ts";
import { byLevel, type Deciders, decider } from "../../permissions/index.ts";
import { askedOf, chosenOption, type OpenCalls } from "./asked.ts";

/** The answer to `session/request_permission`. */
export interface PermissionOutcome {
  readonly outcome: { readonly outcome: "cancelled" } | { readonly outcome: "selected"; readonly optionId: string };
}

const CANCELLED: PermissionOutcome = { outcome: { outcome: "cancelled" } };

/**
 * Answers permission requests: rules, the policy and `onPermission` first, then the permission level. Every decision is recorded before
 * the agent learns of it. While the turn is being canceled, or after the agent is gone, nothing is decided.
 */
export function permit(task: Task, calls: OpenCalls, deciders: Deciders, record: (fact: FactBody) => void, canceled: AbortSignal) {
  const decide = decider(task, deciders);

  return async (params: JsonObject): Promise<PermissionOutcome> => {
    const request = askedOf(params, calls);
    const level = byLevel(request, task.permissions ?? "default");
    const verdict = await unlessAborted(
      decide(request, canceled).then((decided) => decided ?? level),
      canceled,
    );
    if (verdict === undefined) return CANCELLED;
    const { callId, tool, options } = request;
    const offered = chosenOption(verdict, options);
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
