import type { Translator } from "../../base/index.ts";
import {
  type ArtifactBody,
  type BodyOf,
  type CheckBody,
  type Event,
  type ObservationBody,
  type PromptBundle,
  type RunEndBody,
  usageSum,
} from "../../events/index.ts";
import type { View, ViewOptions } from "../../pipeline/index.ts";
import { isoClock } from "../iso-clock.ts";
import { captured, changed, commands, completed, evaluated, finished, invoked, prepared, started, UNKNOWN } from "./actions.ts";
import { decisionParents, decisionTypes } from "./decision-types.ts";
import { DECISION_VERSION, type DecisionEvent, type DecisionType } from "./schema.ts";
import { noVerdicts, requiredChecks, verdictsOf } from "./verdicts.ts";

export const decision: View<DecisionEvent> = {
  id: "decision",
  title: "An observed run as nine events, from start to finish",
  needsSeal: true,
  open,
};

type Action = DecisionEvent["agent_action"];
type Stage = (typeof decisionTypes)[number];

/**
 * Always nine events, in order, once each. Each is emitted with its fact; one without a fact is emitted as unknown before the next that has
 * one. Of a run that was not observed, they show what its sealed files contain.
 */
function open({ kept }: ViewOptions = {}): Translator<Event, DecisionEvent> {
  const iso = isoClock();
  const usage = usageSum();
  const outputs: ArtifactBody[] = [];
  const checks: CheckBody[] = [];
  const calls: { id: string; name: string; arguments: unknown }[] = []; // white box only
  let run: BodyOf<"run-start"> = { type: "run-start", agent: UNKNOWN };
  let observation: ObservationBody | undefined;
  let bundle: PromptBundle | undefined; // white box only
  let evaluation = noVerdicts();
  let out: DecisionEvent[] = [];
  let next = 0; // the index of the next event
  let at = 0;
  let isPrepared = false; // the workspace

  /** Emits this event, after filling in the missing ones before it. */
  function emit(stage: Stage, action: Action, type: DecisionType = stage): void {
    const place = decisionTypes.indexOf(stage);
    if (place < next) return; // already emitted
    while (next < place) fill(decisionTypes[next] as Stage);
    next++;
    out.push(event(stage, type, action));
  }

  function fill(stage: Stage): void {
    if (stage === "run_started") emit(stage, started(runId(), scenario(), observation));
    else if (stage === "workspace_prepared") {
      const workspace = onDisk()?.workspace;
      isPrepared ||= workspace !== undefined;
      emit(stage, prepared(workspace, place(run.cwd)));
    } else if (stage === "agent_invoked") {
      const { argv = [], startedAt } = onDisk() ?? {};
      const body = startedAt === undefined ? undefined : { argv };
      emit(stage, invoked(agentId(), place(run.cwd), body, iso(startedAt ?? at), isPrepared));
    } else if (stage === "agent_completed") emit(stage, completed(UNSEEN_END));
    else if (stage === "artifacts_captured") emit(stage, captured(allOutputs()));
    else if (stage === "fs_diff_captured") emit(stage, changed(onDisk()?.changes));
    else if (stage === "commands_observed") emit(stage, commands(undefined), "commands_observation_unavailable");
    else if (stage === "evaluation_performed") evaluate("no check was evaluated");
  }

  function evaluate(problem: string | undefined): void {
    const asked = new Set((observation?.constraints ?? []).map(({ id }) => id));
    const reported = new Set(checks.map(({ id }) => id));
    for (const [id, group] of Object.entries(requiredChecks)) {
      const message = asked.has(id)
        ? `It was not evaluated${problem === undefined ? "" : `: ${problem}`}.`
        : "The scenario does not ask for it.";
      if (!reported.has(id)) checks.push({ type: "check", id, group, status: "unknown", message, evidence: [] });
    }
    evaluation = verdictsOf(checks, asked);
    emit("evaluation_performed", evaluated(evaluation, problem));
  }

  const onDisk = () => (observation === undefined ? kept : undefined);
  const allOutputs = () => (outputs.length === 0 ? (onDisk()?.outputs ?? outputs) : outputs);
  const runId = () => run.runId ?? UNKNOWN;
  const scenario = () => observation?.scenario ?? UNKNOWN;
  const agentId = () => run.product ?? run.agent;
  /** A path may reveal the user's name. */
  const place = (path: string | undefined) => (path === undefined ? UNKNOWN : isFull() ? path : "workspace");
  const isWhite = () => (observation === undefined ? run.inside === true : observation.mode === "white_box");
  const isFull = () => observation === undefined || observation.capture === "full";

  function event(stage: Stage, type: DecisionType, agent_action: Action): DecisionEvent {
    const id = runId();
    const parent = decisionParents[stage];
    return {
      schema_version: DECISION_VERSION,
      event_id: `${id}.${decisionTypes.indexOf(stage) + 1}`,
      event_type: type,
      timestamp: iso(at),
      trace_id: id,
      span_id: `${id}.${stage}`,
      parent_span_id: parent === null ? null : `${id}.${parent}`,
      observability_mode: isWhite() ? "white_box" : "black_box",
      session: {
        session_id: scenario(),
        run_id: id,
        agent_id: agentId(),
        agent_version: observation?.agentVersion ?? UNKNOWN,
        environment: observation?.environment ?? UNKNOWN,
      },
      request: {
        request_id: `${id}.request`,
        user_request_raw: observation?.request ?? run.prompt ?? UNKNOWN,
        constraints: (observation?.constraints ?? []).map(({ id, type, rule }) => ({ id, type, rule })),
      },
      prompt_provenance: provenance(),
      model_output: output(stage),
      agent_action,
      evaluation,
    };
  }

  /** A black box does not report its model's input; a white box does in its first line. */
  function provenance(): DecisionEvent["prompt_provenance"] {
    const model = run.model ?? UNKNOWN;
    return {
      provider: isWhite() && model.includes("/") ? model.slice(0, model.indexOf("/")) : UNKNOWN,
      model,
      capture_mode: observation?.capture ?? UNKNOWN,
      prompt_bundle: bundle === undefined || !isFull() ? null : { system: bundle.system, tools: bundle.tools },
      prompt_bundle_hash: bundle?.sha256 === undefined ? UNKNOWN : `sha256:${bundle.sha256}`,
      parameters: {},
    };
  }

  function output(stage: Stage): DecisionEvent["model_output"] {
    const isThere = stage === "artifacts_captured";
    const isKnown = isThere && isWhite();
    return {
      completion_id: null,
      output_raw: isThere && allOutputs().some(({ file }) => file !== undefined) ? "captured_as_artifact" : null,
      output_structured: null,
      tool_calls: isKnown ? calls : [],
      usage: isKnown ? { ...usage.used().usage } : null,
    };
  }

  function see({ body }: Event): void {
    usage.see(body);
    switch (body.type) {
      case "run-start":
        run = body;
        return;
      case "observation":
        observation = body;
        return fill("run_started");
      case "workspace-prepared": {
        const { copiedFrom: _, ...rest } = body;
        isPrepared = true;
        return emit("workspace_prepared", prepared(isFull() ? body : rest, place(body.root)));
      }
      case "process-started":
        return emit("agent_invoked", invoked(agentId(), place(body.cwd), body, iso(at), isPrepared));
      case "process-observed":
        return emit("agent_completed", completed(body));
      case "artifact":
        outputs.push(body);
        if (outputs.length === 2) emit("artifacts_captured", captured(outputs));
        return;
      case "files-changed":
        if (body.turn === undefined) emit("fs_diff_captured", changed(body));
        return;
      case "commands-observed":
        return emit("commands_observed", commands(body), body.available ? "commands_observed" : "commands_observation_unavailable");
      case "check":
        checks.push(body);
        return;
      case "evaluation":
        return evaluate(body.problem);
      case "tool-start":
        if (isWhite()) calls.push({ id: body.callId, name: body.tool, arguments: isFull() ? body.input : null });
        return;
      case "session":
        if (isWhite()) bundle = body.promptBundle;
        return;
      case "run-end":
        emit("agent_completed", completed(body));
        emit("run_finished", finish());
    }
  }

  /** Fills in everything before it, because its text contains the verdicts. */
  function finish(): Action {
    const before = decisionTypes.indexOf("run_finished");
    while (next < before) fill(decisionTypes[next] as Stage);
    return finished(evaluation);
  }

  return {
    push(event) {
      out = [];
      if (next === 0 && event.body.type !== "run-start" && event.body.type !== "observation") fill("run_started");
      at = event.at;
      see(event);
      return out;
    },
    end: () => [],
  };
}

const UNSEEN_END: RunEndBody = { type: "run-end", status: null, reason: "", exitCode: null, signal: null, durationMs: null };
