import { z } from "zod";
import { DECISION_VERSION, type DecisionEvent, decisionTypes, type Refs } from "../../pure/views/index.ts";
import { evidence } from "./observed.ts";
import { refs } from "./parts.ts";
import type { Same } from "./same.ts";
import { type ObjectOf, type RecordOf, schema } from "./schema.ts";

const text = () => z.string();
const status = () => z.enum(["pass", "warn", "fail", "unknown"]);

function record(object: ObjectOf) {
  const artifact = object({
    type: z.enum(["metadata", "workspace", "process", "output", "diff", "command_log"]),
    id: text(),
    summary: text(),
    content_ref: text().nullable().describe("Where it is, from the directory of the observation; null for what is no file"),
    hash: text().describe("sha256:…, or unknown"),
    metadata: z.record(text(), z.unknown()),
  }).meta({ id: "Artifact" });
  const cited = z.array(evidence(object));
  const verdict = {
    status: status(),
    checks: z.array(object({ id: text(), status: status(), message: text(), evidence: cited })),
    violations: z.array(object({ id: text(), severity: z.enum(["warn", "fail"]), message: text(), evidence: cited })),
  };
  return object({
    schema_version: z.literal(DECISION_VERSION),
    event_id: text(),
    event_type: z.enum([...decisionTypes, "commands_observation_unavailable"]),
    timestamp: z.iso.datetime(),
    trace_id: text(),
    span_id: text(),
    parent_span_id: text().nullable(),
    observability_mode: z.enum(["black_box", "white_box"]),
    session: object({
      session_id: text().describe("The scenario's id"),
      run_id: text(),
      agent_id: text(),
      agent_version: text(),
      environment: z.enum(["local", "ci", "staging", "prod", "unknown"]),
    }),
    request: object({
      request_id: text(),
      user_request_raw: text().describe("As the capture mode has it"),
      constraints: z.array(object({ id: text(), type: text(), rule: text() })),
    }),
    prompt_provenance: object({
      provider: text(),
      model: text(),
      capture_mode: z.enum(["full", "redacted", "hashed", "unknown"]),
      prompt_bundle: object({ system: text(), tools: z.array(text()) })
        .nullable()
        .describe("Of a black box, before its agent says it, and where the capture mode hides it: null"),
      prompt_bundle_hash: text().describe("sha256:… of the bundle as JSON"),
      parameters: z.record(text(), z.unknown()),
    }),
    model_output: object({
      completion_id: text().nullable(),
      output_raw: z.literal("captured_as_artifact").nullable(),
      output_structured: z.null(),
      tool_calls: z.array(object({ id: text(), name: text(), arguments: z.unknown() })).describe("Of a black box: none"),
      usage: z.record(text(), z.number().nullable()).nullable(),
    }),
    agent_action: object({
      action_type: z.enum(["plan", "edit", "command", "run_tests", "blocked", "other"]),
      action_summary: text(),
      artifacts: z.array(artifact),
      tool_results: z.array(z.never()),
    }),
    evaluation: object({
      alignment: object({
        ...verdict,
        score: z.number().nullable().describe("The share of its checks that passed, of those that could be decided"),
      }),
      quality: object(verdict),
      policy: object(verdict),
    }),
    ...refs(),
  });
}

true satisfies Same<RecordOf<typeof record>, DecisionEvent & Partial<Refs>>;

export const decision = schema({
  name: "decision",
  version: DECISION_VERSION,
  title: "Decision event",
  description: "One of the nine events of an observed run. Every block is always there; what is not known says so.",
  record,
});
