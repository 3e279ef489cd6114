import type { RunStatus } from "../../../pure/events/index.ts";

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
