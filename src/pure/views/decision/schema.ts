import {
  anyObject,
  anything,
  described,
  isoTime,
  leaf,
  list,
  named,
  nullable,
  number,
  object,
  oneOf,
  type Static,
  text,
  valuesOf,
} from "../../base/index.ts";
import { captureMode, checkStatus, environment, evidence, observabilityMode } from "../../events/index.ts";
import { viewSchema } from "../view-schema.ts";
import { decisionTypes } from "./decision-types.ts";

export const DECISION_VERSION = "0.2";

const decisionType = oneOf(...decisionTypes, "commands_observation_unavailable");
export type DecisionType = Static<typeof decisionType>;
const actionType = oneOf("plan", "edit", "command", "run_tests", "blocked", "other");
export type ActionType = Static<typeof actionType>;

const artifact = named(
  object({
    type: oneOf("metadata", "workspace", "process", "output", "diff", "command_log"),
    id: text,
    summary: text,
    content_ref: described(nullable(text), "Its path, relative to the directory of the observation; null if it is not a file"),
    hash: described(text, "sha256:…, or unknown"),
    metadata: anyObject,
  }),
  "Artifact",
);
export type DecisionArtifact = Static<typeof artifact>;

const verdict = object({
  status: checkStatus,
  checks: list(object({ id: text, status: checkStatus, message: text, evidence: list(evidence) })),
  violations: list(object({ id: text, severity: oneOf("warn", "fail"), message: text, evidence: list(evidence) })),
});
export type Verdict = Static<typeof verdict>;

const verdicts = object({
  alignment: object({
    ...verdict.fields,
    score: described(nullable(number), "The share of decided checks that passed"),
  }),
  quality: verdict,
  policy: verdict,
});
export type Verdicts = Static<typeof verdicts>;

/** One of the nine events of specification 003. Every block is always present; unknown values say so. */
const decision = object({
  schema_version: oneOf(DECISION_VERSION),
  event_id: text,
  event_type: decisionType,
  timestamp: isoTime,
  trace_id: text,
  span_id: text,
  parent_span_id: nullable(text),
  observability_mode: observabilityMode,
  session: object({
    session_id: described(text, "The scenario's id"),
    run_id: text,
    agent_id: text,
    agent_version: text,
    environment,
  }),
  request: object({
    request_id: text,
    user_request_raw: described(text, "Shown according to the capture mode"),
    constraints: list(object({ id: text, type: text, rule: text })),
  }),
  prompt_provenance: object({
    provider: text,
    model: text,
    capture_mode: oneOf(...captureMode.values, "unknown"),
    prompt_bundle: described(
      nullable(object({ system: text, tools: list(text) })),
      "Null for a black box, before the agent reports it, and if the capture mode hides it",
    ),
    prompt_bundle_hash: described(text, "sha256:… of the bundle as JSON"),
    parameters: anyObject,
  }),
  model_output: object({
    completion_id: nullable(text),
    output_raw: nullable(oneOf("captured_as_artifact")),
    output_structured: leaf<null>({ type: "null" }, (value) => value === null),
    tool_calls: described(list(object({ id: text, name: text, arguments: anything })), "Empty for a black box"),
    usage: nullable(valuesOf(nullable(number))),
  }),
  agent_action: object({
    action_type: actionType,
    action_summary: text,
    artifacts: list(artifact),
    tool_results: list(leaf<never>({ not: {} }, () => false)),
  }),
  evaluation: verdicts,
});
export type DecisionEvent = Static<typeof decision>;

export const decisionSchema = viewSchema({
  name: "decision",
  version: DECISION_VERSION,
  title: "Decision event",
  description: "One of the nine events of an observed run. Every block is always present; unknown values say so.",
  shape: decision,
});
