/** The nine events in order; the seventh has two names. */
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

/** The parent of each event in the tree. */
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
