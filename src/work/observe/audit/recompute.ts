import { join } from "node:path";
import { type CourseStep, decode } from "../../../host/recording/index.ts";
import { readAs } from "../../../pure/agents/index.ts";
import { flawOf, HarnessError, isObject, type JsonObject, spelled } from "../../../pure/base/index.ts";
import {
  type CheckBody,
  type Event,
  type EventBody,
  type FactBody,
  type FactRecord,
  fact,
  type ObservationBody,
} from "../../../pure/events/index.ts";
import { type Agent, innerEvents, pipeline, type View } from "../../../pure/pipeline/index.ts";
import { type DecisionEvent, decision, decisionTypes } from "../../../pure/views/index.ts";
import { commandsIn, evaluateRun } from "../evaluation/index.ts";
import { POLICY_FILE } from "../out-directory.ts";
import { type ClaimedFacts, claimedFacts } from "./claimed-facts.ts";
import { courseIn } from "./course.ts";
import { block, type Evidence, readsSame } from "./evidence.ts";
import {
  agentIn,
  ownAgentNamed,
  shownChanges,
  shownCommands,
  shownConstraints,
  shownEnd,
  shownObservation,
  shownOutputs,
  shownStart,
  shownWorkspace,
} from "./shown-facts.ts";

export interface Recomputed {
  readonly events: readonly DecisionEvent[];
  /** The ids of the checks that were judged again. */
  readonly judged: readonly string[];
}

/** The commands that a run has as facts; its log has all. */
const MOST_FACTS = 1_000;

type Timed = readonly [stage: string, bodies: readonly FactBody[]];

/**
 * The nine events as the evidence gives them: its facts, through the same view. What no file shows is taken from the events themselves,
 * which then must at least agree with each other.
 */
export async function recomputed(claims: readonly JsonObject[], evidence: Evidence | undefined): Promise<Recomputed> {
  const claimed = claimedFacts(claims);
  if (evidence !== undefined && Object.keys(evidence.process).length > 0) checkObserved(claimed, evidence.process);
  const agent = evidence && readerOf(evidence);
  const facts = factsOf(claims, claimed, evidence);
  const at = timesOf(claims, evidence);
  checkForm(facts);
  const judged = evidence && agent ? await judgedAgain(facts, at, evidence, agent) : [];
  const checks = claimed.checks.map((claim) => asClaimed(judged.find(({ id }) => id === claim.id) ?? claim, claim));
  const evaluation: Timed = [
    "evaluation_performed",
    [...checks, { type: "evaluation", ...(claimed.problem !== undefined && { problem: claimed.problem }) }],
  ];
  const view = decision as View<DecisionEvent>;
  const all = [...facts, evaluation];
  checkForm(all);
  const events = evidence && agent ? [...projected(all, at, evidence, agent, view)] : direct(claims, claimed, all, at, evidence, view);
  return { events, judged: judged.map(({ id }) => id) };
}

/** A recorder that came to its end has observed everything, so no event may say otherwise. */
function checkObserved({ started, outputs, changed, commands }: ClaimedFacts, process: JsonObject): void {
  if ((started !== undefined) !== "argv" in block(process, "started"))
    throw new HarnessError("input", "it and the events disagree on whether the process was started");
  if (process["late"] === true) return;
  if (outputs.length === 2 && changed !== undefined && commands !== undefined) return;
  throw new HarnessError("input", "it shows a complete observation, and the events do not");
}

/** Evidence from outside may have any form. */
function checkForm(facts: readonly Timed[]): void {
  for (const [stage, bodies] of facts)
    for (const body of bodies) {
      const { status: _, ...rest } = { status: undefined, ...body };
      const flaw = flawOf(fact, body.type === "process-observed" ? rest : body, { strict: true });
      if (flaw !== undefined) throw new HarnessError("input", `${[stage, ...flaw].join(".")} does not have its form`);
    }
}

/** The agent whose output the evidence holds, if this version can read it. */
function readerOf({ metadata, file }: Evidence): Agent | undefined {
  const { like } = block(metadata, "agent");
  const agent = agentIn(metadata);
  const other = like === undefined ? undefined : ownAgentNamed(like);
  if (agent === undefined || file("artifacts/agent_stdout.txt") === undefined || (like !== undefined && other === undefined))
    return undefined;
  return other === undefined ? agent : readAs(agent, other);
}

function factsOf(claims: readonly JsonObject[], claimed: ClaimedFacts, evidence: Evidence | undefined): readonly Timed[] {
  const observation = claimedObservation(claims);
  const { workspace, started, ended, changed, commands } = claimed;
  const shown = <Body>(show: (evidence: Evidence, claim: Body) => Body, claim: Body | undefined): readonly Body[] =>
    claim === undefined ? [] : [evidence === undefined ? claim : show(evidence, claim)];
  return [
    ["run_started", shown(shownObservation, observation)],
    ["workspace_prepared", shown(shownWorkspace, workspace)],
    ["agent_invoked", shown(shownStart, started)],
    ["agent_completed", shown(shownEnd, ended)],
    ["artifacts_captured", evidence === undefined ? claimed.outputs : shownOutputs(evidence, claimed)],
    ["fs_diff_captured", shown(shownChanges, changed)],
    ["commands_observed", shown(shownCommands, commands)],
  ];
}

/** Undefined for a run that was not observed. */
function claimedObservation([first = {}]: readonly JsonObject[]): ObservationBody | undefined {
  const session = block(first, "session");
  const request = block(first, "request");
  const { capture_mode: capture } = block(first, "prompt_provenance");
  if (capture === "unknown") return undefined;
  return {
    type: "observation",
    mode: first["observability_mode"] === "white_box" && isInside(session["agent_id"]) ? "white_box" : "black_box",
    scenario: spelled(session["session_id"]),
    environment: session["environment"] as ObservationBody["environment"],
    capture: capture as ObservationBody["capture"],
    request: spelled(request["user_request_raw"]),
    constraints: (request["constraints"] ?? []) as ObservationBody["constraints"],
    agentVersion: session["agent_version"] === "unknown" ? null : spelled(session["agent_version"]),
    ...metadataFile(first),
  };
}

/** Only an agent of this package reports its own prompt and calls. */
function isInside(id: unknown): boolean {
  return ownAgentNamed(id)?.inside === true;
}

function metadataFile(first: JsonObject): Pick<ObservationBody, "metadata"> {
  const artifacts = block(first, "agent_action")["artifacts"];
  const [artifact] = Array.isArray(artifacts) ? artifacts.filter(isObject) : [];
  if (artifact?.["content_ref"] !== "metadata.json") return {};
  return { metadata: { path: "metadata.json", bytes: 0, sha256: spelled(artifact["hash"]).replace(/^sha256:/, "") } };
}

/** When each event was known: by the record of the process, otherwise by the event itself. */
function timesOf(claims: readonly JsonObject[], evidence: Evidence | undefined): (stage: string) => number {
  const times = block(evidence?.process ?? {}, "times");
  return (stage) => {
    const claim = claims[decisionTypes.indexOf(stage as (typeof decisionTypes)[number])];
    const at = Date.parse(spelled(stage in times ? times[stage] : claim?.["timestamp"]));
    if (!Number.isFinite(at)) throw new HarnessError("input", `the time of ${stage} is not a time`);
    return at;
  };
}

/** The records of a view, with the agent's output read again between the start and the end of its process. */
function* projected<Out extends object>(
  facts: readonly Timed[],
  at: (stage: string) => number,
  evidence: Evidence,
  agent: Agent,
  view: View<Out>,
): Generator<Out, void> {
  const { metadata } = evidence;
  const { model } = metadata;
  const line = pipeline(
    agent,
    view,
    {
      startedAt: at("run_started"),
      runId: spelled(metadata["run_id"]),
      cwd: cwdIn(evidence),
      model: model === "unknown" ? undefined : spelled(model),
      prompt: undefined,
      sessionName: undefined,
      before: undefined,
    },
    decode,
  );
  for (const [stage, bodies] of facts) {
    if (stage === "agent_completed")
      for (const piece of worked(evidence, at("agent_invoked")))
        yield* piece.type === "fact" ? line.fact(piece) : line.bytes(piece.stream, piece.bytes, piece.at);
    for (const body of bodies) yield* line.fact({ type: "fact", at: at(stage), body });
  }
  const [, , , completed] = facts;
  const [ended] = completed?.[1] ?? [];
  const { exitCode, signal, durationMs, stopped } = { stopped: undefined, ...UNSEEN, ...(ended?.type === "process-observed" && ended) };
  yield* line.exit({ type: "exit", at: at("run_finished"), exitCode, signal, durationMs, ...(stopped && { stopped }) });
  yield* line.end(at("run_finished"));
}

type Piece = { readonly type: "bytes"; readonly stream: "stdout" | "stderr"; readonly bytes: Uint8Array; readonly at: number } | FactRecord;

/** What the agent printed and what was noted meanwhile, in order; without a course, one stream after the other at this time. */
function* worked(evidence: Evidence, at: number): Generator<Piece, void> {
  const course = courseIn(evidence);
  if (!Array.isArray(course)) {
    for (const stream of ["stdout", "stderr"] as const)
      for (const bytes of evidence.pieces(`artifacts/agent_${stream}.txt`)) yield { type: "bytes", stream, bytes, at };
    return;
  }
  const streams = { stdout: cutter(evidence, "stdout"), stderr: cutter(evidence, "stderr") };
  for (const step of course as readonly CourseStep[]) {
    if ("fact" in step) yield { type: "fact", at: step.at, body: step.fact };
    else if ("stream" in step)
      for (const bytes of streams[step.stream].upTo(step.to)) yield { type: "bytes", stream: step.stream, bytes, at: step.at };
  }
}

/** Reads a stream piece by piece, up to a byte at a time. */
function cutter(evidence: Evidence, stream: "stdout" | "stderr"): { upTo(end: number): Generator<Uint8Array, void> } {
  const pieces = evidence.pieces(`artifacts/agent_${stream}.txt`);
  let rest: Uint8Array = new Uint8Array();
  let position = 0;
  return {
    *upTo(end) {
      while (position < end) {
        if (rest.length === 0) {
          const { done, value } = pieces.next();
          if (done) return;
          rest = value.slice(); // its buffer may be used again
        }
        const bytes = rest.subarray(0, end - position);
        rest = rest.subarray(bytes.length);
        position += bytes.length;
        yield bytes;
      }
    },
  };
}

/** The agent's working directory, if the evidence shows it. */
function cwdIn({ metadata, process }: Evidence): string | undefined {
  const { cwd } = block(process, "started");
  return metadata["capture_mode"] === "full" && typeof cwd === "string" ? cwd : undefined;
}

const UNSEEN = { exitCode: null, signal: null, durationMs: null };

/** They judge by when each event came, and by what was decided while the agent ran. */
const BY_COURSE = new Set(["truth.consistent", "scope.permissions"]);

/** Judges the checks that depend only on files that are here. */
async function judgedAgain(
  facts: readonly Timed[],
  at: (stage: string) => number,
  evidence: Evidence,
  agent: Agent,
): Promise<readonly CheckBody[]> {
  const { metadata } = evidence;
  const constraints = shownConstraints(metadata);
  const policy = evidence.file(POLICY_FILE) && join(evidence.directory, POLICY_FILE);
  const hasAll = metadata["policy"] === null || policy !== undefined; // a module, or the policy of an earlier version, is not there
  if (constraints === undefined || !hasAll || !readsSame(metadata)) return [];
  const named = Array.isArray(metadata["checks"]) ? metadata["checks"].map(spelled) : [];
  const seen = commandsIn(evidence.text("artifacts/command_logs.jsonl") ?? "") ?? [];
  const course = courseIn(evidence);
  const scans = Array.isArray(course) ? (course as readonly CourseStep[]).flatMap((step) => ("scanned" in step ? [step.scanned] : [])) : [];
  const whole = facts.map(([stage, bodies]): Timed => {
    if (stage === "commands_observed") return [stage, [...seen.slice(0, MOST_FACTS), ...bodies]];
    return [stage, bodies.map((body) => (body.type === "files-changed" ? { ...body, ...scans[0] } : body))];
  });
  checkForm(whole);
  async function* events(): AsyncGenerator<readonly Event[]> {
    for (const event of projected(whole, at, evidence, agent, innerEvents)) yield [event];
  }
  const { directory } = evidence;
  const asked = { constraints, checks: named, ...(policy && { policy, isForeignPolicy: true }) };
  const verdicts = await evaluateRun({ events: events(), directory, ...asked });
  return verdicts.filter(({ id }) => Array.isArray(course) || !BY_COURSE.has(id));
}

/** The numbers of events exist only in the recording. */
function asClaimed(judged: CheckBody, claim: CheckBody): CheckBody {
  if (judged === claim) return claim;
  const claimedAt = (index: number) => (Array.isArray(claim.evidence) ? claim.evidence[index]?.events : undefined);
  const evidence = judged.evidence.map(({ events: _, ...rest }, index) => {
    const events = claimedAt(index);
    return { ...rest, ...(events && { events }) };
  });
  return { ...judged, evidence };
}

/** Without the agent's output: what is inside a white box is taken from the claims. */
function direct(
  claims: readonly JsonObject[],
  claimed: ClaimedFacts,
  facts: readonly Timed[],
  at: (stage: string) => number,
  evidence: Evidence | undefined,
  view: View<DecisionEvent>,
): readonly DecisionEvent[] {
  const [first = {}] = claims;
  const translator = view.open();
  const out: DecisionEvent[] = [];
  const push = (stage: string, body: EventBody) => out.push(...translator.push({ at: at(stage), body } as Event));
  push("run_started", runStart(first, evidence));
  for (const [stage, bodies] of facts) {
    if (stage === "agent_completed") for (const body of insideOf(claims)) push("agent_invoked", body);
    for (const body of bodies) push(stage, body as EventBody);
  }
  const { exitCode, signal, durationMs } = claimed.ended ?? UNSEEN;
  push("run_finished", { type: "run-end", status: null, reason: "", exitCode, signal, durationMs });
  const usage = block(claims[4] ?? {}, "model_output")["usage"] as DecisionEvent["model_output"]["usage"];
  return out.map((event, index) =>
    index === 4 && event.observability_mode === "white_box" ? { ...event, model_output: { ...event.model_output, usage } } : event,
  );
}

function runStart(first: JsonObject, evidence: Evidence | undefined): EventBody {
  const session = block(first, "session");
  const { id, product } = block(evidence?.metadata ?? {}, "agent");
  const model = evidence === undefined ? block(first, "prompt_provenance")["model"] : evidence.metadata["model"];
  const agent = spelled(product ?? id ?? session["agent_id"]);
  return {
    type: "run-start",
    agent,
    runId: spelled(evidence?.metadata["run_id"] ?? session["run_id"]),
    ...(model !== "unknown" && { model: spelled(model) }),
    ...((evidence === undefined ? isInside(agent) : agentIn(evidence.metadata)?.inside) && { inside: true }),
  };
}

function insideOf(claims: readonly JsonObject[]): readonly EventBody[] {
  const captured = claims[4] ?? {};
  const { prompt_bundle: bundle, prompt_bundle_hash: hash } = block(captured, "prompt_provenance");
  const calls = block(captured, "model_output")["tool_calls"];
  const { system = "", tools = [] } = isObject(bundle) ? (bundle as { system?: string; tools?: readonly string[] }) : {};
  return [
    ...(hash === "unknown"
      ? []
      : [{ type: "session", promptBundle: { system, tools, sha256: spelled(hash).replace(/^sha256:/, "") } } as unknown as EventBody]),
    ...(Array.isArray(calls) ? calls.filter(isObject) : []).map(
      ({ id, name, arguments: input }) => ({ type: "tool-start", callId: id, tool: name, input, operations: [] }) as unknown as EventBody,
    ),
  ];
}
