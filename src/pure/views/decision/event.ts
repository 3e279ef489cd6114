import type { CheckGroup, CheckStatus, Environment, Evidence, ObservabilityMode } from "../../events/index.ts";

export const DECISION_VERSION = "0.2";

/** The nine, in their order; the seventh has two names. */
export const decisionTypes = [
  "run_started",
  "workspace_prepared",
  "agent_invoked",
  "agent_completed",
  "artifacts_captured",
  "fs_diff_captured",
  "commands_observed",
  "evaluation_performed",
  "run_finished",
] as const;

/** Where each stands in the tree: under which of the others. */
export const decisionParents: Readonly<Record<(typeof decisionTypes)[number], (typeof decisionTypes)[number] | null>> = {
  run_started: null,
  workspace_prepared: "run_started",
  agent_invoked: "run_started",
  agent_completed: "agent_invoked",
  artifacts_captured: "agent_completed",
  fs_diff_captured: "agent_completed",
  commands_observed: "fs_diff_captured",
  evaluation_performed: "commands_observed",
  run_finished: "run_started",
};

export type DecisionType = (typeof decisionTypes)[number] | "commands_observation_unavailable";
export type ActionType = "plan" | "edit" | "command" | "run_tests" | "blocked" | "other";

export interface DecisionArtifact {
  type: "metadata" | "workspace" | "process" | "output" | "diff" | "command_log";
  id: string;
  summary: string;
  /** Where it is, from the directory of the observation; null for what is no file. */
  content_ref: string | null;
  /** `sha256:…`, or `unknown`. */
  hash: string;
  metadata: Record<string, unknown>;
}

export interface DecisionCheck {
  id: string;
  status: CheckStatus;
  message: string;
  evidence: readonly Evidence[];
}

export interface Violation {
  id: string;
  severity: "warn" | "fail";
  message: string;
  evidence: readonly Evidence[];
}

export interface Verdict {
  status: CheckStatus;
  checks: readonly DecisionCheck[];
  violations: readonly Violation[];
}

export type Verdicts = Record<Exclude<CheckGroup, "alignment">, Verdict> & {
  /** The share of its checks that passed, of those that could be decided. */
  alignment: Verdict & { score: number | null };
};

/** One of the nine events of specification 003. Every block is always there; what is not known says so. */
export interface DecisionEvent {
  schema_version: typeof DECISION_VERSION;
  event_id: string;
  event_type: DecisionType;
  timestamp: string;
  trace_id: string;
  span_id: string;
  parent_span_id: string | null;
  observability_mode: ObservabilityMode;
  session: { session_id: string; run_id: string; agent_id: string; agent_version: string; environment: Environment };
  request: {
    request_id: string;
    user_request_raw: string;
    constraints: readonly { id: string; type: string; rule: string }[];
  };
  prompt_provenance: {
    provider: string;
    model: string;
    capture_mode: "full" | "redacted" | "hashed" | "unknown";
    prompt_bundle: { system: string; tools: readonly string[] } | null;
    prompt_bundle_hash: string;
    parameters: Record<string, unknown>;
  };
  model_output: {
    completion_id: string | null;
    output_raw: "captured_as_artifact" | null;
    output_structured: null;
    tool_calls: readonly { id: string; name: string; arguments: unknown }[];
    usage: Record<string, number | null> | null;
  };
  agent_action: {
    action_type: ActionType;
    action_summary: string;
    artifacts: readonly DecisionArtifact[];
    tool_results: readonly never[];
  };
  evaluation: Verdicts;
}
