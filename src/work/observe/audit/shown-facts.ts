import { agents, asForeign } from "../../../pure/agents/index.ts";
import { isObject, type JsonObject, parseJsonLines, spelled } from "../../../pure/base/index.ts";
import type {
  ArtifactBody,
  CommandsObservedBody,
  Constraint,
  FilesChangedBody,
  ObservationBody,
  ProcessObservedBody,
  ProcessStartedBody,
  TraceEffects,
  WorkspaceBody,
} from "../../../pure/events/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { changedFiles, countedEntries } from "./changed-files.ts";
import type { ClaimedFacts } from "./claimed-facts.ts";
import { block, type Evidence } from "./evidence.ts";

// What the evidence shows, fact by fact. A part of a fact that no file shows is taken from the claim.

/** The agent that the metadata describes, if it is one of this package. */
export function agentIn(metadata: JsonObject): Agent | undefined {
  const { id, foreign } = block(metadata, "agent");
  const agent = ownAgentNamed(id);
  return agent === undefined || foreign !== true ? agent : asForeign(agent);
}

/** The agent of this package by that name, whose output we can read again. */
export function ownAgentNamed(id: unknown): Agent | undefined {
  return Object.values<Agent>(agents).find((agent) => agent.id === id);
}

export function shownObservation({ metadata, file }: Evidence, claim: ObservationBody): ObservationBody {
  const { scenario, agent } = { scenario: block(metadata, "scenario"), agent: block(metadata, "agent") };
  const described = file("metadata.json");
  const { constraints: _, request: __, metadata: ___, ...rest } = claim;
  return {
    ...rest,
    mode: agentIn(metadata)?.inside === true ? "white_box" : "black_box",
    scenario: spelled(scenario["id"]),
    environment: metadata["environment"] as ObservationBody["environment"],
    capture: metadata["capture_mode"] as ObservationBody["capture"],
    request: typeof metadata["request"] === "string" ? metadata["request"] : claim.request,
    constraints: shownConstraints(metadata) ?? claim.constraints,
    agentVersion: agent["version"] === "unknown" ? null : spelled(agent["version"]),
    ...(described && { metadata: described }),
  };
}

/** Undefined in the metadata of an earlier version. */
export function shownConstraints(metadata: JsonObject): readonly Constraint[] | undefined {
  const { constraints } = metadata;
  return Array.isArray(constraints) ? (constraints.filter(isObject) as unknown as readonly Constraint[]) : undefined;
}

export function shownWorkspace(evidence: Evidence, claim: WorkspaceBody): WorkspaceBody {
  const { metadata, process, file } = evidence;
  const { root } = block(process, "started");
  const counted = countedEntries(evidence);
  const manifest = file("artifacts/manifest_before.jsonl");
  const from = typeof metadata["copied_from"] === "string" ? { copiedFrom: metadata["copied_from"] } : {};
  const { copiedFrom: _, manifest: __, ...rest } = claim;
  return {
    ...rest,
    ...("request" in metadata ? from : claim.copiedFrom && { copiedFrom: claim.copiedFrom }), // earlier versions did not keep it
    ...(typeof root === "string" && { root }),
    source: metadata["workspace"] === "empty" ? "empty" : "copied",
    ...(manifest && { manifest }),
    ...counted,
  };
}

export function shownStart({ process }: Evidence, claim: ProcessStartedBody): ProcessStartedBody {
  const { root: _, ...shown } = block(process, "started");
  const { isolation: __, ...rest } = claim;
  return { ...("argv" in shown ? rest : claim), ...(shown as Partial<ProcessStartedBody>) };
}

export function shownEnd({ process }: Evidence, claim: ProcessObservedBody): ProcessObservedBody {
  const shown = block(process, "ended");
  if (Object.keys(shown).length === 0) return claim;
  const { status } = claim; // follows from the agent's output
  return { ...(shown as unknown as ProcessObservedBody), type: "process-observed", ...(status !== undefined && { status }) };
}

export function shownOutputs({ metadata, file }: Evidence, { outputs }: ClaimedFacts): readonly ArtifactBody[] {
  const { id } = block(metadata, "agent");
  const product = ownAgentNamed(id)?.product ?? block(metadata, "agent")["product"];
  return (["stdout", "stderr"] as const).flatMap((role): readonly ArtifactBody[] => {
    const claim = outputs.find((each) => each.role === role);
    const shown = file(`artifacts/agent_${role}.txt`);
    const also = product === undefined ? [] : [`artifacts/${spelled(id)}_${role}.txt`];
    if (shown !== undefined) return [{ type: "artifact", role, file: shown, ...(also.length > 0 && { also }) }];
    return claim === undefined ? [] : [claim];
  });
}

export function shownChanges(evidence: Evidence, claim: FilesChangedBody): FilesChangedBody {
  const [before, after, patch] = ["manifest_before.jsonl", "manifest_after.jsonl", "fs_diff.patch"].map((name) =>
    evidence.file(`artifacts/${name}`),
  );
  const { before: _, after: __, patch: ___, ...rest } = claim;
  return {
    ...rest,
    ...(before && { before }),
    ...(after && { after }),
    ...(patch && { patch }),
    method: "other",
    ...changedFiles(evidence, claim),
  };
}

export function shownCommands(evidence: Evidence, claim: CommandsObservedBody): CommandsObservedBody {
  const { metadata, process, file, text } = evidence;
  if (claim.reason === "unknown" && process["late"] === true) return claim;
  const asked = Array.isArray(metadata["wrapped_binaries"]) ? metadata["wrapped_binaries"].map(spelled) : [];
  const mayTrace = metadata["trace"] !== false; // undefined in an earlier version
  const log = file("artifacts/command_logs.jsonl");
  if (log === undefined) {
    const isDisabled = asked.length === 0 && metadata["trace"] === false && claim.problem === undefined;
    const reason = isDisabled && claim.reason !== "unknown" ? "wrappers disabled" : (claim.reason ?? "unknown");
    // With wrappers alone, that none was called means that they were there.
    const isQuiet = reason === "no wrapped binaries invoked" && asked.length > 0 && metadata["trace"] === false;
    const watched = isQuiet ? { sources: ["wrapper"] as const, wrapped: asked, observed: 0 } : {};
    return { ...NO_COMMANDS, ...watched, reason, ...(claim.problem !== undefined && { problem: claim.problem }) };
  }
  const lines = parseJsonLines(text("artifacts/command_logs.jsonl") ?? "").filter(isObject);
  const seen = sorted(lines.map(({ source }) => spelled(source)));
  const isPossible = (source: string) => (source === "trace" ? mayTrace : asked.length > 0);
  const { effects: _, log: __, reason: ___, ...rest } = claim;
  const effects = shownEffects(evidence, claim.effects);
  return {
    ...rest,
    available: true,
    observed: claim.observed === null && claim.sources.length === 0 ? null : lines.length,
    categories: sorted(lines.map(({ category }) => spelled(category))) as CommandsObservedBody["categories"],
    sources: (claim.sources.every(isPossible) && seen.every((each) => claim.sources.includes(each as "trace"))
      ? distinct(claim.sources)
      : seen) as CommandsObservedBody["sources"],
    wrapped: asked.includes("all") || claim.wrapped.every((name) => asked.includes(name)) ? distinct(claim.wrapped) : asked,
    log,
    ...(effects && { effects }),
  };
}

const NO_COMMANDS = {
  type: "commands-observed",
  available: false,
  sources: [],
  wrapped: [],
  observed: null,
  categories: [],
} as const;

function shownEffects({ file, text }: Evidence, claim: TraceEffects | undefined): TraceEffects | undefined {
  const log = file("artifacts/trace_effects.jsonl");
  if (log === undefined) return claim && withoutLog(claim);
  const lines = parseJsonLines(text("artifacts/trace_effects.jsonl") ?? "").filter(isObject);
  const countOf = (wanted: string) => lines.filter(({ kind }) => kind === wanted).length;
  const counts = { writes: countOf("write"), sockets: countOf("socket"), connections: countOf("connection") };
  return { first: [], gaps: claim?.gaps ?? [], ...counts, log };
}

function withoutLog({ log: _, ...effects }: TraceEffects): TraceEffects {
  return effects;
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
