import type { RunStatus } from "../../../pure/events/index.ts";
import type { CaptureResult } from "./result.ts";

/**
 * Whether a run that ended so tells nothing about the agent: the model's provider failed, we ended it at a limit of ours or because
 * somebody asked, or nobody saw its end. What an agent did wrong itself (`failed`, `blocked`) is its failure.
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

/** Lost to the model's provider or to the machine: worth another try. */
export function isInfrastructure({ status }: Pick<CaptureResult, "status">): boolean {
  return status === "infrastructure" || status === null || status === "crashed";
}

/** The provider asked for fewer requests. */
export function isRateLimited(result: Pick<CaptureResult, "status" | "errors">): boolean {
  return isInfrastructure(result) && (result.errors ?? []).some((words) => RATE_LIMIT.test(words));
}

const RATE_LIMIT = /\b429\b|rate.?limit|too many requests|overloaded/i;
