import type { RunStatus } from "../../../pure/events/index.ts";
import type { CaptureResult } from "./result.ts";

/**
 * Whether a run with this status says nothing about the agent: the model's provider failed, we stopped it at a limit or on request, or
 * its end was not seen. The agent's own mistakes (`failed`, `blocked`) count as its failures.
 */
export function isLost(status: RunStatus | null): boolean {
  switch (status) {
    case "infrastructure":
    case "timed_out":
    case "hung":
    case "canceled":
    case "crashed":
    case null:
      return true;
    case "completed":
    case "failed":
    case "blocked":
      return false;
  }
}

/** Lost to the model's provider or to the machine, so worth a repeat. */
export function isInfrastructure({ status }: Pick<CaptureResult, "status">): boolean {
  return status === "infrastructure" || status === null || status === "crashed";
}

/** The provider asked for fewer requests. */
export function isRateLimited(result: Pick<CaptureResult, "status" | "errors">): boolean {
  return isInfrastructure(result) && (result.errors ?? []).some((message) => RATE_LIMIT.test(message));
}

const RATE_LIMIT = /\b429\b|rate.?limit|too many requests|overloaded/i;
