import { fits, type JsonObject, spelled } from "../../../pure/base/index.ts";
import type {
  ArtifactBody,
  CheckBody,
  CommandsObservedBody,
  FileRef,
  FilesChangedBody,
  ProcessObservedBody,
  ProcessStartedBody,
  TraceEffects,
  WorkspaceBody,
} from "../../../pure/events/index.ts";
import { wallFacts } from "../../../pure/isolation/index.ts";
import { artifactsOf, block, objects, summaryOf } from "./evidence.ts";

const UNKNOWN = "unknown";

/** The facts that the nine events state, read from their fields. Texts are only read for what no field has: why something failed. */
export interface ClaimedFacts {
  readonly workspace?: WorkspaceBody | undefined;
  readonly started?: ProcessStartedBody | undefined;
  readonly ended?: ProcessObservedBody | undefined;
  readonly outputs: readonly ArtifactBody[];
  readonly changed?: FilesChangedBody | undefined;
  readonly commands?: CommandsObservedBody | undefined;
  readonly checks: readonly CheckBody[];
  readonly problem: string | undefined;
}

export function claimedFacts(events: readonly JsonObject[]): ClaimedFacts {
  const [, prepared, invoked, completed, captured, diffed, commanded, evaluated] = events;
  return {
    workspace: workspaceIn(prepared),
    started: startedIn(invoked),
    ended: endedIn(completed),
    outputs: (["stdout", "stderr"] as const).flatMap((role) => outputIn(captured, role)),
    changed: changedIn(diffed),
    commands: commandsIn(commanded),
    checks: checksIn(evaluated),
    problem: /^Checks evaluated: alignment=\w+, quality=\w+, policy=\w+; (.*)\.$/s.exec(summaryOf(evaluated))?.[1],
  };
}

function workspaceIn(event: JsonObject | undefined): WorkspaceBody | undefined {
  const [artifact = {}] = artifactsOf(event);
  const { root, source, copied_from: from, entries, bytes } = block(artifact, "metadata");
  if (source !== "empty" && source !== "copied") return undefined;
  const problem = /^Workspace: (?:empty|a copy); (.*)\.$/s.exec(summaryOf(event))?.[1];
  return {
    type: "workspace-prepared",
    root: spelled(root),
    source,
    ...(typeof from === "string" && { copiedFrom: from }),
    ...fileOf("manifest", artifact),
    entries: numberOf(entries),
    bytes: numberOf(bytes),
    ...(problem !== undefined && { problem }),
  };
}

function startedIn(event: JsonObject | undefined): ProcessStartedBody | undefined {
  const { cwd, argv, argv_hash: hash, started_at: at, isolation } = metadataOf(event);
  if (at === UNKNOWN) return undefined;
  const state = /: verbose (\w+),/.exec(summaryOf(event))?.[1];
  return {
    type: "process-started",
    cwd: spelled(cwd),
    argv: Array.isArray(argv) ? argv.map(spelled) : [],
    argvSha256: spelled(hash).replace(/^sha256:/, ""),
    verbose: state === "enabled" ? true : state === "disabled" ? false : null,
    ...(fits(wallFacts, isolation) && { isolation }),
  };
}

function endedIn(event: JsonObject | undefined): ProcessObservedBody | undefined {
  const metadata = metadataOf(event);
  const resources = block(metadata, "resources");
  const { stopped_by: stopped, signal } = metadata;
  return {
    type: "process-observed",
    exitCode: numberOf(metadata["exit_code"]),
    signal: typeof signal === "string" && signal !== UNKNOWN ? signal : null,
    durationMs: numberOf(metadata["duration_ms"]),
    ...(typeof stopped === "string" && { stopped: stopped as NonNullable<ProcessObservedBody["stopped"]> }),
    leftovers: numberOf(metadata["leftover_processes"]),
    resources: {
      userMs: numberOf(resources["user_ms"]),
      systemMs: numberOf(resources["system_ms"]),
      maxRssBytes: numberOf(resources["max_rss_bytes"]),
    },
    ...(block(event ?? {}, "agent_action")["action_type"] === "blocked" && { status: "blocked" }),
  };
}

/** Empty if the stream was never captured. */
function outputIn(event: JsonObject | undefined, role: "stdout" | "stderr"): readonly ArtifactBody[] {
  const named = artifactsOf(event).filter(({ id }) => spelled(id).endsWith(`_${role}.txt`));
  const [artifact = {}, ...more] = named;
  const { unavailable, bytes } = block(artifact, "metadata");
  const { file } = fileOf("file", artifact);
  if (file === undefined) return unavailable === NEVER ? [] : [{ type: "artifact", role, problem: spelled(unavailable) }];
  const also = more.map(({ content_ref: ref }) => spelled(ref));
  return [{ type: "artifact", role, file: { ...file, bytes: numberOf(bytes) ?? 0 }, ...(also.length > 0 && { also }) }];
}

const NEVER = "it was not observed";

function changedIn(event: JsonObject | undefined): FilesChangedBody | undefined {
  const artifact = artifactsOf(event).find(({ id }) => id === "fs_diff.patch") ?? {};
  const metadata = block(artifact, "metadata");
  const { changed_paths: paths, changed_count: total, counts, method, left_out: leftOut, unseen } = metadata;
  if (leftOut === UNKNOWN) return undefined;
  const problem = metadata["unavailable"] ?? metadata["problem"];
  return {
    type: "files-changed",
    ...fileOf("before", block(metadata, "before_manifest")),
    ...fileOf("after", block(metadata, "after_manifest")),
    ...fileOf("patch", artifact),
    method: method as FilesChangedBody["method"],
    total: numberOf(total),
    counts: counts === UNKNOWN ? null : (counts as FilesChangedBody["counts"]),
    changes: objects(paths) as unknown as FilesChangedBody["changes"],
    leftOut: Number(leftOut),
    unseen: numberOf(unseen),
    ...(typeof problem === "string" && { problem }),
  };
}

function commandsIn(event: JsonObject | undefined): CommandsObservedBody | undefined {
  const none = { type: "commands-observed", sources: [], wrapped: [], observed: null, categories: [] } as const;
  if (event?.["event_type"] !== "commands_observed") {
    const [, reason, problem] = /^Commands could not be observed: ([a-z ]+?)(?: \((.*)\))?\.$/s.exec(summaryOf(event)) ?? [];
    const why = { reason: reason as NonNullable<CommandsObservedBody["reason"]>, ...(problem !== undefined && { problem }) };
    return reason === undefined ? undefined : { ...none, available: false, ...why };
  }
  const [log = {}, trace] = artifactsOf(event);
  const { observed_count: observed, categories_seen: seen, sources, wrapped_binaries: wrapped, problem } = block(log, "metadata");
  return {
    ...none,
    available: true,
    observed: numberOf(observed),
    categories: words(seen) as CommandsObservedBody["categories"],
    sources: words(sources) as CommandsObservedBody["sources"],
    wrapped: words(wrapped),
    ...fileOf("log", log),
    ...(typeof problem === "string" && { problem }),
    ...(trace !== undefined && { effects: effectsIn(trace) }),
  };
}

function effectsIn(artifact: JsonObject): TraceEffects {
  const metadata = block(artifact, "metadata");
  return {
    writes: Number(spelled(metadata["written_outside_count"])),
    sockets: Number(spelled(metadata["sockets_count"])),
    connections: Number(spelled(metadata["connections_count"])),
    first: [],
    gaps: objects(metadata["gaps"]) as unknown as TraceEffects["gaps"],
    ...fileOf("log", artifact),
  };
}

function checksIn(event: JsonObject | undefined): readonly CheckBody[] {
  const evaluation = block(event ?? {}, "evaluation");
  return (["alignment", "quality", "policy"] as const).flatMap((group) =>
    objects(block(evaluation, group)["checks"]).map((check) => {
      const { id, status, message, evidence } = check;
      return { type: "check", id, group, status, message, evidence } as CheckBody;
    }),
  );
}

function metadataOf(event: JsonObject | undefined): JsonObject {
  return block(artifactsOf(event).find(({ type }) => type === "process") ?? {}, "metadata");
}

/** The file that an artifact names; its size is not part of the events. */
function fileOf<Key extends string>(key: Key, { content_ref: ref, hash }: JsonObject): { readonly [key in Key]?: FileRef } {
  if (typeof ref !== "string") return {};
  return { [key]: { path: ref, bytes: 0, sha256: spelled(hash).replace(/^sha256:/, "") } } as { readonly [key in Key]?: FileRef };
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function words(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(spelled) : [];
}
