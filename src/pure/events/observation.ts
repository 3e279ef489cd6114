import {
  anyObject,
  count,
  described,
  epochMs,
  type Fields,
  flag,
  integer,
  list,
  named,
  nullable,
  number,
  object,
  oneOf,
  optional,
  ordinal,
  type Static,
  text,
} from "../base/index.ts";
import { wallFacts } from "../isolation/index.ts";
import { stop } from "./record.ts";
import { statusOrNull } from "./run-status.ts";
import { tokens } from "./tokens.ts";

/**
 * What is known about a run from outside the agent. Each is a fact in the recording, so every view is a function of the run's events.
 * Large data is a file, with its hash here. Anything that was not observed is null, or says why.
 */

/** `path` is relative to the directory of the observation and the run: `artifacts/fs_diff.patch`. */
const fileRef = named(
  object({ path: described(text, "Relative to the directory of the observation"), bytes: count, sha256: text }),
  "FileRef",
  "A file that belongs to the run",
);
export type FileRef = Static<typeof fileRef>;
const file = optional(fileRef);

const problem = optional(text, "What failed, in one sentence");
const maybe = optional(text);
const end = { exitCode: nullable(integer), signal: nullable(text), durationMs: nullable(number) };

/** How the request and the command line are shown: verbatim, only their structure, or only their hash. */
export const captureMode = oneOf("full", "redacted", "hashed");
export type CaptureMode = Static<typeof captureMode>;
export const environment = oneOf("local", "ci", "staging", "prod", "unknown");
export type Environment = Static<typeof environment>;
/** Whether we see the agent from outside, or it runs in our own process and reports everything. */
export const observabilityMode = oneOf("black_box", "white_box");

/** A requirement for the agent. `type` is its kind: the first word of a known id, `prohibited`, `success` or `custom`. */
const constraint = object({
  id: text,
  type: text,
  rule: text,
  /** The scenario's options for the check of that name. */
  options: optional(anyObject),
});
export type Constraint = Static<typeof constraint>;

/** Resources used by the agent and its children, as far as they were measured. */
const resources = object({ userMs: nullable(number), systemMs: nullable(number), maxRssBytes: nullable(number) });
export type Resources = Static<typeof resources>;

const fileChangeKind = oneOf("added", "modified", "deleted", "renamed", "mode", "type", "unknown");
export type FileChangeKind = Static<typeof fileChangeKind>;
const counts = object({ added: count, modified: count, deleted: count, renamed: count, mode: count, type: count, unknown: count });
const fileChange = object({
  kind: fileChangeKind,
  path: text,
  /** The previous name of a renamed file. */
  was: maybe,
  /** The file's own modification time, in epoch milliseconds. */
  mtime: optional(number),
});
export type FileChange = Static<typeof fileChange>;

/** The final state of a path that the agent said it had written, although it has not changed. */
const lookedUp = object({
  path: text,
  /** `same`: untouched. `rewritten`: written with its old contents. `absent`: nothing there. */
  state: oneOf("same", "rewritten", "absent"),
});
export type LookedUp = Static<typeof lookedUp>;

/** A test that no longer counts as before: deleted, skipped, or with fewer assertions. */
const weakenedTest = object({
  path: text,
  line: optional(ordinal),
  what: text,
  /** False: a reviewer must decide, for example whether fewer assertions check less. */
  isCertain: flag,
});
export type WeakenedTest = Static<typeof weakenedTest>;

const commandCategory = oneOf("test", "build", "install", "vcs", "network", "file", "other");
export type CommandCategory = Static<typeof commandCategory>;
/** How a command was seen: by a wrapper on the PATH, which sees only calls by name, or by tracing every program start. */
const commandSource = oneOf("wrapper", "trace");
export type CommandSource = Static<typeof commandSource>;

/** One line of `artifacts/trace_effects.jsonl`. */
const tracedEffect = named(
  object({
    /** `write`: a file was changed; `socket`: a local socket was contacted; `connection`: a network address was contacted. */
    kind: oneOf("write", "socket", "connection"),
    /** An abstract socket starts with `@`. */
    target: described(text, "A path, or address:port"),
    /** For a connection. `loopback`: no process of the run was listening there. */
    peer: optional(oneOf("loopback", "other")),
    by: described(oneOf("agent", "command"), "Whether the agent itself did it, or a program that it ran"),
    /** The system call and its count. The other fields describe the first one. */
    call: text,
    count,
    at: number,
    pid: count,
    argv: list(text),
  }),
  "TracedEffect",
  "A change outside the workspace, or a contact with another process or host",
);
export type TracedEffect = Static<typeof tracedEffect>;

/** Why the trace may have missed something. */
const traceGapReason = oneOf(
  "unresolved-path",
  "mounts",
  "io-uring",
  "untraced-process",
  "outlived",
  "other-process",
  "other-abi",
  "unread-line",
  "too-many",
  "unknown-call",
  "unknown-family",
  "unsure-connection",
  "kernel-write",
  "replaced-agent",
  "shared-file",
);
export type TraceGapReason = Static<typeof traceGapReason>;
const traceGap = object({ reason: traceGapReason, count, example: maybe });
export type TraceGap = Static<typeof traceGap>;

const traceEffects = named(
  object({
    /** The number of log lines of each kind. */
    writes: count,
    sockets: count,
    connections: count,
    first: list(tracedEffect),
    gaps: described(list(traceGap), "Empty: nothing was missed"),
    /** The agent's home directory. */
    home: maybe,
    log: file,
  }),
  "TraceEffects",
  "What a full trace saw in addition to program starts",
);
export type TraceEffects = Static<typeof traceEffects>;

/** Size is always bounded. */
export const evidence = named(
  object({
    source: oneOf("stdout", "stderr", "fs_diff", "manifest", "commands", "events", "scenario"),
    path: maybe,
    line: optional(ordinal),
    excerpt: maybe,
    sha256: maybe,
    events: optional(list(ordinal), "The numbers of the events it refers to"),
  }),
  "Evidence",
  "What a verdict is based on: an excerpt, or the hash of the checked data",
);
export type Evidence = Static<typeof evidence>;

export const checkGroup = oneOf("alignment", "quality", "policy");
export type CheckGroup = Static<typeof checkGroup>;
export const checkStatus = oneOf("pass", "warn", "fail", "unknown");
export type CheckStatus = Static<typeof checkStatus>;

/** Event types that only the recorder may report, never an agent's translator. New types go at the end. */
export const observations = {
  /** The first fact: the run is observed, for this scenario and this request. */
  observation: {
    mode: observabilityMode,
    /** `default` for a bare prompt. */
    scenario: text,
    environment,
    capture: captureMode,
    request: described(text, "The request, shown according to the capture mode"),
    constraints: list(constraint),
    /** Null: the agent did not report it. */
    agentVersion: nullable(text),
    metadata: file,
  },
  "workspace-prepared": {
    root: text,
    source: oneOf("empty", "copied"),
    copiedFrom: maybe,
    /** All files before the agent starts. */
    manifest: file,
    entries: nullable(count),
    bytes: nullable(count),
    problem,
  },
  /** Recorded right before the agent's process starts. */
  "process-started": {
    cwd: text,
    argv: described(list(text), "Shown according to the capture mode; empty if only the hash is kept"),
    /** The hash of the whole argv as JSON. */
    argvSha256: text,
    /** Whether the agent was asked to report its steps while it runs; null: not known. */
    verbose: nullable(flag),
    isolation: optional(wallFacts, "The walls around the agent"),
  },
  /** The agent and all its child processes have ended, and all output has been read: no line follows. */
  "process-observed": {
    ...end,
    stopped: optional(stop),
    leftovers: described(nullable(count), "Processes it left running, which were ended"),
    /** The verdict of the truth table, added by the event log; not part of the record. */
    status: optional(statusOrNull),
    resources,
  },
  /** The agent's output as a file. `also`: its names in specification 003. */
  artifact: { role: oneOf("stdout", "stderr"), file, also: optional(list(text)), problem },
  /** Changes to the workspace: during the whole run, or, with `turn`, since the previous snapshot. */
  "files-changed": {
    turn: optional(ordinal, "The number of this snapshot of the running agent; absent: the whole run"),
    callId: optional(text, "The call after which the snapshot was taken"),
    before: file,
    after: file,
    patch: file,
    method: oneOf("git_diff", "diff_ru", "other"),
    total: described(nullable(count), "Null: the comparison failed"),
    counts: nullable(counts),
    /** Changes outside any `.git` come first. */
    changes: described(list(fileChange), "The first changes"),
    lookedUp: optional(list(lookedUp), "Unchanged paths that the agent said it had written"),
    tests: optional(
      object({
        weakened: described(list(weakenedTest), "The first ones"),
        added: described(count, "Added test files"),
        unread: described(count, "Changed files of code or tests whose lines are not in the patch"),
        files: optional(list(text), "All files that are named like tests, after the run; absent: not known, or more than 300"),
      }),
      "What became of the tests",
    ),
    touched: optional(
      list(object({ path: text, at: number })),
      "What changed last, latest first, by a time that programs cannot set (ctime); a directory ends in `/`; without caches and `.git`",
    ),
    repository: optional(oneOf("directory", "file", "none"), "The `.git` of the workspace; absent: not scanned"),
    commits: optional(
      object({
        made: described(list(text), "Commits that a branch, or HEAD, leads to, and none led to before the run; the first ones"),
        isEmpty: described(nullable(flag), "Whether HEAD has the same files as before the run; null: not readable"),
        uncommitted: described(
          nullable(list(text)),
          "The first changed paths, without `.git`, whose contents are in no new commit; null: not readable",
        ),
      }),
      "What became of the workspace's repository; absent: there is none, or it cannot be read",
    ),
    leftOut: described(count, "Changed files that the patch could not include"),
    unseen: described(nullable(count), "Entries whose contents or names were not read: a change there would not be seen"),
    problem,
  },
  /** One command that really ran, seen from outside. */
  "command-observed": {
    source: commandSource,
    argv: list(text),
    program: optional(text, "The path of the program that was started, which need not have the name in `argv`"),
    isNew: optional(flag, "The program's file was written, linked or renamed after the agent started, or is gone"),
    category: commandCategory,
    cwd: nullable(text),
    startedAt: nullable(epochMs),
    ...end,
    pid: optional(count),
    ppid: optional(count),
  },
  /** Recorded once, after the commands: what was watched, and how many commands there were. */
  "commands-observed": {
    available: flag,
    /** Why not, in the wording of specification 003. */
    reason: optional(oneOf("wrappers disabled", "no wrapped binaries invoked", "permission issue", "unknown")),
    problem,
    sources: list(commandSource),
    wrapped: described(list(text), "The names that had wrappers: wrappers see no other command"),
    /** Null: not counted. May exceed the number of command facts; the log has all commands. */
    observed: nullable(count),
    categories: list(commandCategory),
    log: file,
    /** Absent: not traced. */
    effects: optional(traceEffects),
  },
  /** The verdict of one check. */
  check: { id: text, group: checkGroup, status: checkStatus, message: text, evidence: list(evidence) },
  /** All checks have been recorded. `problem`: why they ended early. */
  evaluation: { problem },
  /** The requests in the model's ledger while the agent ran, if a ledger was given. */
  "model-ledger": { requests: described(nullable(count), "Null: the ledger could not be read"), tokens, problem },
  /** Recorded when an attempt to reach something outside a sealed run is over. */
  connection: {
    host: described(text, "The name or address that was asked for"),
    port: described(nullable(count), "Null: what was asked for cannot be read"),
    decision: oneOf("allow", "deny"),
    reason: text,
    up: described(count, "Bytes from the agent"),
    down: described(count, "Bytes to the agent"),
    startedAt: epochMs,
    durationMs: number,
  },
  /** Recorded when a request to the model is over, if the run records them. Its contents are in `wire.jsonl`. */
  "model-request": {
    request: described(ordinal, "Counts the requests of the run from 1"),
    dialect: described(nullable(text), "Null: it did not ask for a turn"),
    model: nullable(text),
    thread: described(nullable(ordinal), "Requests with the same beginning are one conversation. Null: not known"),
    retries: described(nullable(ordinal), "The failed request that this one repeats"),
    status: described(nullable(integer), "Of HTTP. Null: no answer"),
    stream: nullable(flag),
    tokens: described(nullable(tokens), "As the provider counts. Null: it did not say"),
    finish: described(nullable(text), "Why the model stopped, in the provider's words"),
    messages: nullable(count),
    tools: described(nullable(count), "How many tools the request offers"),
    up: described(count, "Bytes of the request's body"),
    down: described(count, "Bytes of the answer's body"),
    startedAt: epochMs,
    firstMs: described(nullable(number), "From the request to the first content"),
    durationMs: number,
    retryAfterMs: described(nullable(number), "How long the provider asks to wait"),
    limits: list(object({ name: text, value: text })),
    problem,
    head: described(text, "The last hash in `wire.jsonl` then"),
  },
} as const satisfies Record<string, Fields>;
