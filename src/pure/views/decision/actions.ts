import type {
  ArtifactBody,
  CommandsObservedBody,
  FileRef,
  FilesChangedBody,
  ObservationBody,
  ProcessObservedBody,
  ProcessStartedBody,
  RunEndBody,
  TraceEffects,
  WorkspaceBody,
} from "../../events/index.ts";
import type { ActionType, DecisionArtifact, DecisionEvent, Verdicts } from "./schema.ts";

type Action = DecisionEvent["agent_action"];

/** The id of a run that we did not start. */
export const UNKNOWN = "unknown";
/** Part of every commands event: a wrapper sees only calls that go through it. */
export const WRAPPED_ONLY = "only wrapped binaries are captured";

export function started(runId: string, scenario: string, { metadata }: Partial<ObservationBody> = {}): Action {
  return action(
    "other",
    `Run ${runId} of scenario ${scenario} started.`,
    metadata === undefined ? [] : [artifact("metadata", "metadata.json", "What was run, with what", metadata, {})],
  );
}

/** `root` is a path as the capture mode shows it. */
export function prepared(body: WorkspaceBody | undefined, root: string): Action {
  const { source, copiedFrom, manifest, entries = null, bytes = null, problem } = body ?? {};
  const how = body === undefined ? "not prepared by us: what it held before is unknown" : source === "empty" ? "empty" : "a copy";
  const summary = `Workspace: ${how}${problem === undefined ? "" : `; ${problem}`}.`;
  const about = { root, source: source ?? UNKNOWN, ...(copiedFrom && { copied_from: copiedFrom }), entries, bytes };
  return action("other", summary, [artifact("workspace", "workspace", "The directory the agent works in", manifest, about)]);
}

export function invoked(
  agent: string,
  cwd: string,
  body: Partial<ProcessStartedBody> | undefined,
  at: string,
  isPrepared: boolean,
): Action {
  const { verbose = null, argv = [], argvSha256, isolation } = body ?? {};
  const state = verbose === null ? UNKNOWN : verbose ? "enabled" : "disabled";
  const metadata = {
    cwd,
    argv: argv.length === 0 ? UNKNOWN : argv,
    argv_hash: hashOf(argvSha256),
    started_at: body === undefined ? UNKNOWN : at,
    ...(isolation && { isolation }),
  };
  const artifact = { type: "process", id: "agent_process_start", summary: "The agent's process", content_ref: null } as const;
  const place = isPrepared ? "workspace" : cwd; // a directory that we did not prepare is not the workspace of specification 003
  return action("other", `${agent} invoked: verbose ${state}, cwd = ${place}.`, [{ ...artifact, hash: UNKNOWN, metadata }]);
}

/** From the observed end of the process or, for an unobserved run, the end of its recording. */
export function completed(body: ProcessObservedBody | RunEndBody): Action {
  const { exitCode, signal, durationMs, stopped, status } = body;
  const seen = "resources" in body ? body : undefined;
  const metadata = {
    exit_code: exitCode ?? UNKNOWN,
    signal: signal ?? (exitCode === null ? UNKNOWN : null),
    duration_ms: durationMs ?? UNKNOWN,
    stopped_by: stopped ?? null,
    leftover_processes: seen?.leftovers ?? UNKNOWN,
    resources: {
      user_ms: seen?.resources.userMs ?? UNKNOWN,
      system_ms: seen?.resources.systemMs ?? UNKNOWN,
      max_rss_bytes: seen?.resources.maxRssBytes ?? UNKNOWN,
    },
  };
  const parts = [`exit_code=${metadata.exit_code}`, `duration_ms=${metadata.duration_ms}`];
  if (signal !== null) parts.push(`signal=${signal}`);
  if (stopped !== undefined) parts.push(`stopped_by=${stopped}`);
  const artifact = { type: "process", id: "agent_process_end", summary: "How the agent's process ended", content_ref: null } as const;
  const type = status === "blocked" ? "blocked" : "other";
  return action(type, `Agent process ended: ${parts.join(", ")}.`, [{ ...artifact, hash: UNKNOWN, metadata }]);
}

/** The agent's output is its own declaration and proves nothing. */
export function captured(outputs: readonly ArtifactBody[]): Action {
  const roles = ["stdout", "stderr"] as const;
  const artifacts = roles.flatMap((role) => {
    const body = outputs.find((each) => each.role === role);
    const { file, also = [], problem = "it was not observed" } = body ?? {};
    const name = file?.path.split("/").at(-1) ?? `agent_${role}.txt`;
    const metadata = { non_normative: true, ...(file === undefined ? { unavailable: problem } : { bytes: file.bytes }) };
    const refs = file === undefined ? [undefined] : [file, ...also.map((path) => ({ ...file, path }))];
    return refs.map((ref) => artifact("output", ref?.path.split("/").at(-1) ?? name, `The agent's ${role}, as it declares`, ref, metadata));
  });
  const lost = artifacts.filter(({ content_ref }) => content_ref === null).length;
  return action("other", lost === 0 ? "Agent stdout and stderr captured." : `Agent output: ${lost} of 2 streams not captured.`, artifacts);
}

export function changed(body: (Omit<FilesChangedBody, "leftOut"> & { readonly leftOut?: number }) | undefined): Action {
  const { patch, total = null, counts = null, changes = [], method = "other", leftOut = null, unseen = null, before, after } = body ?? {};
  const problem = body === undefined ? "it was not observed" : body.problem;
  const metadata = {
    changed_paths: changes.map(({ kind, path, was }) => ({ kind, path, ...(was !== undefined && { was }) })),
    changed_count: total ?? UNKNOWN,
    counts: counts ?? UNKNOWN,
    diff_hash: hashOf(patch?.sha256),
    method,
    left_out: leftOut ?? UNKNOWN,
    unseen: unseen ?? UNKNOWN,
    ...(before && { before_manifest: { content_ref: before.path, hash: hashOf(before.sha256) } }),
    ...(after && { after_manifest: { content_ref: after.path, hash: hashOf(after.sha256) } }),
    ...(problem !== undefined && (patch === undefined ? { unavailable: problem } : { problem })),
  };
  const state = total === null ? `unavailable: ${(problem ?? UNKNOWN).replace(/\.$/, "")}` : `${total} paths changed`;
  return action("edit", `Filesystem diff: ${state}.`, [artifact("diff", "fs_diff.patch", "Before and after, as a patch", patch, metadata)]);
}

export function commands(body: CommandsObservedBody | undefined): Action {
  if (body === undefined || !body.available) {
    const { reason = UNKNOWN, problem } = body ?? {};
    return action("other", `Commands could not be observed: ${reason}${problem === undefined ? "" : ` (${problem})`}.`, []);
  }
  const { observed, categories, log, wrapped, sources, problem, effects } = body;
  const metadata = {
    observed_count: observed ?? UNKNOWN,
    categories_seen: categories,
    sources,
    wrapped_binaries: wrapped,
    note: WRAPPED_ONLY,
    ...(problem !== undefined && { problem }),
  };
  const summary = `${observed ?? "An unknown number of"} commands observed; ${WRAPPED_ONLY}.`;
  const log_ = artifact("command_log", "command_logs.jsonl", "Every command that was seen, one per line", log, metadata);
  return action(categories.includes("test") ? "run_tests" : "command", summary, [log_, ...traced(effects)]);
}

/** Effects outside the workspace: counts here, details in the log. */
function traced(effects: TraceEffects | undefined): readonly DecisionArtifact[] {
  if (effects === undefined) return [];
  const { writes, sockets, connections, gaps, log } = effects;
  const metadata = {
    written_outside_count: writes,
    sockets_count: sockets,
    connections_count: connections,
    gaps: gaps.map(({ reason, count }) => ({ reason, count })),
    ...(log === undefined && { unavailable: "it could not be written" }),
  };
  return [artifact("command_log", "trace_effects.jsonl", "Writes outside the workspace, and connections, as traced", log, metadata)];
}

export function evaluated({ alignment, quality, policy }: Verdicts, problem: string | undefined): Action {
  const verdicts = `alignment=${alignment.status}, quality=${quality.status}, policy=${policy.status}`;
  return action("other", `Checks evaluated: ${verdicts}${problem === undefined ? "" : `; ${problem}`}.`, []);
}

export function finished({ alignment, quality, policy }: Verdicts): Action {
  return action("other", `Run finished: alignment=${alignment.status}, quality=${quality.status}, policy=${policy.status}.`, []);
}

function action(action_type: ActionType, action_summary: string, artifacts: readonly DecisionArtifact[]): Action {
  return { action_type, action_summary, artifacts, tool_results: [] };
}

function artifact(
  type: DecisionArtifact["type"],
  id: string,
  summary: string,
  file: FileRef | undefined,
  metadata: Record<string, unknown>,
): DecisionArtifact {
  return { type, id, summary, content_ref: file?.path ?? null, hash: hashOf(file?.sha256), metadata };
}

function hashOf(sha256: string | undefined): string {
  return sha256 === undefined ? UNKNOWN : `sha256:${sha256}`;
}
