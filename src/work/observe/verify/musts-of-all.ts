import { agents } from "../../../pure/agents/index.ts";
import { isObject, spelled } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { decisionParents, decisionTypes } from "../../../pure/views/index.ts";
import { sha256 } from "../captured.ts";
import {
  artifactsOf,
  block,
  every,
  GROUPS,
  isRelative,
  list,
  type Must,
  missing,
  other,
  quoted,
  STATUSES,
  summaryOf,
  twice,
  UNAVAILABLE,
} from "./must.ts";

/** The agent's intent, which no observer can see. */
const INTENT =
  /\b(?:agent|it|model|assistant)\s+(?:want|intend|decid|tri(?:es|ed)|plan(?:s|ned)|think|thought|believ|hope|prefer|chose|chooses)/i;
const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

export const mustsOfAll: readonly Must[] = [
  every(
    "schema_version",
    'every event has schema_version "0.2"',
    (event) => event["schema_version"] !== "0.2" && 'schema_version is not "0.2"',
  ),
  every(
    "event_id",
    "every event has a unique event_id",
    (event, index, events) => missing(event, "event_id") ?? twice(events, index, "event_id"),
  ),
  {
    id: "order",
    must: "all nine events are there, in order, once each",
    breach(events) {
      for (const [index, type] of decisionTypes.entries()) {
        const found = events[index]?.["event_type"];
        if (found === type || (type === "commands_observed" && found === UNAVAILABLE)) continue;
        const instead = found === undefined ? "the file ends" : `${quoted(found)} stands`;
        return { event: index, problem: `${instead} where ${type} belongs` };
      }
      return events.length > decisionTypes.length ? { event: decisionTypes.length, problem: "there are more than nine events" } : undefined;
    },
  },
  every("timestamp", "every event has an RFC 3339 timestamp, none earlier than the one before", (event, index, events) => {
    const at = event["timestamp"];
    if (typeof at !== "string" || !RFC3339.test(at) || Number.isNaN(Date.parse(at))) return "timestamp is not in RFC 3339 form";
    return (
      index > 0 && Date.parse(at) < Date.parse(spelled(events[index - 1]?.["timestamp"])) && "timestamp is earlier than the event before"
    );
  }),
  every(
    "trace_id",
    "trace_id is the same in all events",
    (event, _, events) => missing(event, "trace_id") ?? other(event, events, "trace_id"),
  ),
  every(
    "span_id",
    "every event has a unique span_id",
    (event, index, events) => missing(event, "span_id") ?? twice(events, index, "span_id"),
  ),
  every("parent_span_id", "the spans form the tree: each under the event it belongs to", (event, index, events) => {
    const type = decisionTypes[index];
    const parent = type === undefined ? null : decisionParents[type];
    const expected = parent === null ? null : events[decisionTypes.indexOf(parent)]?.["span_id"];
    return event["parent_span_id"] !== expected && `parent_span_id is not ${parent === null ? "null" : `the span of ${parent}`}`;
  }),
  every("observability_mode", "observability_mode is black_box, or white_box, in all events", (event, _, events) => {
    const mode = event["observability_mode"];
    if (mode !== "black_box" && mode !== "white_box") return "observability_mode is neither black_box nor white_box";
    return other(event, events, "observability_mode");
  }),
  every("session", "every event names its session: scenario, run, agent, version, environment", (event) => {
    const session = block(event, "session");
    const lacking = ["session_id", "run_id", "agent_id", "agent_version"].find((key) => missing(session, key) !== undefined);
    if (lacking !== undefined) return `session.${lacking} is missing`;
    return (
      !["local", "ci", "staging", "prod", "unknown"].includes(spelled(session["environment"])) &&
      "session.environment is not one of the five values"
    );
  }),
  every("session-constant", "all events have the same session", (event, _, events) => other(event, events, "session")),
  every("request", "every event has its request: id, text, constraints", (event) => {
    const request = block(event, "request");
    if (missing(request, "request_id") !== undefined) return "request.request_id is missing";
    if (typeof request["user_request_raw"] !== "string") return "request.user_request_raw is missing";
    return !Array.isArray(request["constraints"]) && "request.constraints is not a list";
  }),
  every("constraints", "every constraint has id, type and rule", (event) => {
    const flawed = list(block(event, "request")["constraints"]).some((each) =>
      ["id", "type", "rule"].some((key) => missing(each, key) !== undefined),
    );
    return flawed && "a constraint lacks id, type or rule";
  }),
  every("prompt_provenance", "every event has prompt_provenance", (event) => {
    const provenance = block(event, "prompt_provenance");
    const lacking = ["provider", "model", "capture_mode", "prompt_bundle_hash"].find((key) => missing(provenance, key) !== undefined);
    if (lacking !== undefined) return `prompt_provenance.${lacking} is missing`;
    return (
      (!("prompt_bundle" in provenance) || !isObject(provenance["parameters"])) && "prompt_provenance lacks prompt_bundle or parameters"
    );
  }),
  every("prompt-bundle", "a black box shows no prompt bundle: what is unknown stays unknown", (event) => {
    if (event["observability_mode"] !== "black_box") return undefined;
    const { prompt_bundle: bundle, prompt_bundle_hash: hash } = block(event, "prompt_provenance");
    return (bundle !== null || hash !== "unknown") && "prompt_provenance claims to know the prompt bundle of a black box";
  }),
  every("prompt-bundle-hash", "a prompt bundle matches its hash", (event) => {
    const { prompt_bundle: bundle, prompt_bundle_hash: hash } = block(event, "prompt_provenance");
    if (!isObject(bundle) || hash === "unknown") return undefined;
    return hash !== `sha256:${sha256(JSON.stringify(bundle))}` && "prompt_provenance.prompt_bundle_hash does not match the bundle";
  }),
  every("model_output", "every event has model_output", (event) => {
    const output = block(event, "model_output");
    const lacking = ["completion_id", "output_raw", "output_structured", "tool_calls", "usage"].find((key) => !(key in output));
    return lacking !== undefined && `model_output.${lacking} is missing`;
  }),
  every("tool_calls", "a black box shows no tool calls", (event) => {
    if (event["observability_mode"] !== "black_box") return undefined;
    const calls = block(event, "model_output")["tool_calls"];
    return !(Array.isArray(calls) && calls.length === 0) && "model_output.tool_calls claims to know what happens inside a black box";
  }),
  every("black-box-output", "a black box shows neither completions nor usage", (event) => {
    if (event["observability_mode"] !== "black_box") return undefined;
    const { completion_id: id, output_structured: structured, usage } = block(event, "model_output");
    return (id !== null || structured !== null || usage !== null) && "model_output claims to know what the model did in a black box";
  }),
  every("white-box", "a white box is an agent of this package, with its prompt", (event, _, events) => {
    if (event["observability_mode"] !== "white_box") return undefined;
    const id = block(event, "session")["agent_id"];
    const isOwn = Object.values<Agent>(agents).some((agent) => agent.inside === true && (agent.product ?? agent.id) === id);
    if (!isOwn) return `${quoted(id)} does not report its own prompt and calls`;
    const captured = events[4] ?? {};
    const { tool_calls: calls, usage } = block(captured, "model_output");
    const hasActed =
      (Array.isArray(calls) && calls.length > 0) || Object.values(isObject(usage) ? usage : {}).some((each) => each !== null);
    const isSilent = block(captured, "prompt_provenance")["prompt_bundle_hash"] === "unknown";
    return hasActed && isSilent && "the agent's calls are known, and its prompt is not";
  }),
  every("tool_results", "tool_results is empty: results are artifacts", (event) => {
    const results = block(event, "agent_action")["tool_results"];
    return Array.isArray(results) && results.length > 0 && "agent_action.tool_results is not empty";
  }),
  every("agent_action", "every event has agent_action, with type, summary and artifacts", (event) => {
    const action = block(event, "agent_action");
    if (missing(action, "action_type") !== undefined) return "agent_action.action_type is missing";
    if (missing(action, "action_summary") !== undefined) return "agent_action.action_summary is missing";
    return (
      (!Array.isArray(action["artifacts"]) || !Array.isArray(action["tool_results"])) && "agent_action lacks artifacts or tool_results"
    );
  }),
  every("intent", "no summary claims to know what the agent wanted", (event) => {
    return INTENT.test(summaryOf(event)) && "the summary claims to know what the agent wanted";
  }),
  every("artifact", "every artifact has type, id, summary, content_ref, hash and metadata", (event) => {
    const flawed = artifactsOf(event).find(
      (each) =>
        ["type", "id", "summary", "hash"].some((key) => missing(each, key) !== undefined) ||
        !(each["content_ref"] === null || typeof each["content_ref"] === "string") ||
        !/^(?:unknown|sha256:[0-9a-f]{64})$/.test(spelled(each["hash"])) ||
        !isObject(each["metadata"]),
    );
    return flawed !== undefined && `the artifact ${quoted(flawed["id"])} lacks one of its fields, or its hash is invalid`;
  }),
  every("content_ref", "content_ref leads to a file of the observation, and its hash is known", (event) => {
    const flawed = artifactsOf(event).find(
      ({ content_ref: ref, hash }) => ref !== null && (hash === "unknown" || typeof ref !== "string" || !isRelative(ref)),
    );
    return flawed !== undefined && `the artifact ${quoted(flawed["id"])} has no hash, or leads elsewhere`;
  }),
  every("evaluation", "every event has the status of alignment, quality and policy", (event) => {
    const group = GROUPS.find((name) => !STATUSES.includes(spelled(block(block(event, "evaluation"), name)["status"])));
    return group !== undefined && `evaluation.${group}.status is missing, or is not one of ${STATUSES.join(", ")}`;
  }),
];
