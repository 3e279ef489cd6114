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
import { stop } from "./record.ts";
import { statusOrNull } from "./run-status.ts";
import { tokens } from "./tokens.ts";

/**
 * What is established about a run from outside the agent: each is a fact that stands in the recording, so that every view of it is a
 * function of the run's events. What is large is a file, with its hash here; what was not, or could not be, observed is null or says why.
 */

/** `path` begins at the directory of the observation, and of the run: `artifacts/fs_diff.patch`. */
const fileRef = named(
  object({ path: described(text, "From the directory of the observation"), bytes: count, sha256: text }),
  "FileRef",
  "A file that belongs to the run",
);
export type FileRef = Static<typeof fileRef>;
const file = optional(fileRef);

const problem = optional(text, "What could not be done, in a sentence");
const maybe = optional(text);
const end = { exitCode: nullable(integer), signal: nullable(text), durationMs: nullable(number) };

/** How much of the request and of the command line is shown: as it is, only its form, or only its hash. */
export const captureMode = oneOf("full", "redacted", "hashed");
export type CaptureMode = Static<typeof captureMode>;
export const environment = oneOf("local", "ci", "staging", "prod", "unknown");
export type Environment = Static<typeof environment>;
/** Whether we see the agent from outside, or it runs in our own process and tells everything. */
export const observabilityMode = oneOf("black_box", "white_box");

/** Something that was asked of the agent. `type` is what kind of demand it is: the first word of a known id, `prohibited`, `success`, `custom`. */
const constraint = object({
  id: text,
  type: text,
  rule: text,
  /** As the scenario gives them, for the check of that name. */
  options: optional(anyObject),
});
export type Constraint = Static<typeof constraint>;

/** What the agent and its children used, as far as somebody measured it. */
const resources = object({ userMs: nullable(number), systemMs: nullable(number), maxRssBytes: nullable(number) });
export type Resources = Static<typeof resources>;

const fileChangeKind = oneOf("added", "modified", "deleted", "renamed", "mode", "type", "unknown");
export type FileChangeKind = Static<typeof fileChangeKind>;
const counts = object({ added: count, modified: count, deleted: count, renamed: count, mode: count, type: count, unknown: count });
const fileChange = object({
  kind: fileChangeKind,
  path: text,
  /** Of a renamed file: what it was called before. */
  was: maybe,
  /** When it was last written, by its own time stamp; in epoch milliseconds. */
  mtime: optional(number),
});
export type FileChange = Static<typeof fileChange>;

/** What is there, in the end, at a path that the agent said it had written and that has not changed. */
const lookedUp = object({
  path: text,
  /** `same`: nobody touched it. `rewritten`: somebody wrote what it held already. `absent`: there is nothing. */
  state: oneOf("same", "rewritten", "absent"),
});
export type LookedUp = Static<typeof lookedUp>;

const commandCategory = oneOf("test", "build", "install", "vcs", "network", "file", "other");
export type CommandCategory = Static<typeof commandCategory>;
/** How a command was seen: by a wrapper on the PATH, which sees only what goes through it, or by tracing every start of a program. */
const commandSource = oneOf("wrapper", "trace");
export type CommandSource = Static<typeof commandSource>;

/** One line of `artifacts/trace_effects.jsonl`. */
const tracedEffect = named(
  object({
    /** `write`: a file was changed; `socket`: another process of the machine was asked, at a socket; `connection`: an address. */
    kind: oneOf("write", "socket", "connection"),
    /** An abstract socket has `@` before it. */
    target: described(text, "A path, or address:port"),
    /** Of a connection. At `loopback` no process of the run listened. */
    peer: optional(oneOf("loopback", "other")),
    by: described(oneOf("agent", "command"), "Whether the agent itself did it, or something that it ran"),
    /** The call of the system, and how often; what follows is of the first time. */
    call: text,
    count,
    at: number,
    pid: count,
    argv: list(text),
  }),
  "TracedEffect",
  "Something beside the workspace that was changed, or somebody who was spoken to",
);
export type TracedEffect = Static<typeof tracedEffect>;

/** Why something may have happened that the trace does not show. */
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
);
export type TraceGapReason = Static<typeof traceGapReason>;
/** `example`: the first of them. */
const traceGap = object({ reason: traceGapReason, count, example: maybe });
export type TraceGap = Static<typeof traceGap>;

const traceEffects = named(
  object({
    /** So many lines of the log, by kind. */
    writes: count,
    sockets: count,
    connections: count,
    /** The first of them. */
    first: list(tracedEffect),
    gaps: described(list(traceGap), "Empty: all was seen"),
    /** The home directory that the agent was started with. */
    home: maybe,
    log: file,
  }),
  "TraceEffects",
  "What a whole trace saw beside the starts of programs",
);
export type TraceEffects = Static<typeof traceEffects>;

/** Always bounded. */
export const evidence = named(
  object({
    source: oneOf("stdout", "stderr", "fs_diff", "manifest", "commands", "events", "scenario"),
    path: maybe,
    line: optional(ordinal),
    excerpt: maybe,
    sha256: maybe,
    events: optional(list(ordinal), "Numbers of the events it is about"),
  }),
  "Evidence",
  "What a verdict rests on: an excerpt, or the hash of what was looked at",
);
export type Evidence = Static<typeof evidence>;

export const checkGroup = oneOf("alignment", "quality", "policy");
export type CheckGroup = Static<typeof checkGroup>;
export const checkStatus = oneOf("pass", "warn", "fail", "unknown");
export type CheckStatus = Static<typeof checkStatus>;

/** The fields of what only the recorder can say, by the event's type; no agent's file may say it. New types are added at the end. */
export const observations = {
  /** The first fact: that the run is observed, for which scenario, and what was asked for. */
  observation: {
    mode: observabilityMode,
    /** The scenario's id; `default` for a bare prompt. */
    scenario: text,
    environment,
    capture: captureMode,
    request: described(text, "What was asked for, as the capture mode has it"),
    constraints: list(constraint),
    /** Null: it would not tell. */
    agentVersion: nullable(text),
    metadata: file,
  },
  /** The agent's workspace is there. */
  "workspace-prepared": {
    root: text,
    source: oneOf("empty", "copied"),
    /** The directory it was copied from. */
    copiedFrom: maybe,
    /** Everything in it, before the agent starts. */
    manifest: file,
    entries: nullable(count),
    bytes: nullable(count),
    problem,
  },
  /** Told right before the agent's process is started. */
  "process-started": {
    cwd: text,
    argv: described(list(text), "As the capture mode has it; empty where only its hash is kept"),
    /** Of the whole argv, as JSON. */
    argvSha256: text,
    /** Whether the agent was asked to tell what it does while it does it; null: not known. */
    verbose: nullable(flag),
  },
  /** The agent's process is gone, with all that it started, and everything it printed has been read: no line comes after this. */
  "process-observed": {
    ...end,
    stopped: optional(stop),
    leftovers: described(nullable(count), "Processes it left behind, which were ended"),
    /** What the truth table makes of it: added by the event log, no part of the record. */
    status: optional(statusOrNull),
    resources,
  },
  /** A file of the observation that is not told by another fact: what the agent printed. `also`: its names in specification 003. */
  artifact: { role: oneOf("stdout", "stderr"), file, also: optional(list(text)), problem },
  /** What became of the workspace: between its preparation and the agent's end, or, with `turn`, since the snapshot before. */
  "files-changed": {
    turn: optional(ordinal, "Which snapshot of the running agent this is; absent: the whole run"),
    callId: optional(text, "The call after which it was taken"),
    before: file,
    after: file,
    patch: file,
    method: oneOf("git_diff", "diff_ru", "other"),
    total: described(nullable(count), "Null: it could not be compared"),
    counts: nullable(counts),
    /** Those outside any `.git` first. */
    changes: described(list(fileChange), "The first of them"),
    lookedUp: optional(list(lookedUp), "Unchanged paths that the agent said it had written"),
    leftOut: described(count, "Changes of files that the patch could not take in"),
    unseen: described(nullable(count), "Entries whose contents or names were not read: a change may hide there"),
    problem,
  },
  /** One command that was really run, seen from outside. */
  "command-observed": {
    source: commandSource,
    argv: list(text),
    category: commandCategory,
    cwd: nullable(text),
    startedAt: nullable(epochMs),
    ...end,
    /** Which process it was, and whose child. */
    pid: optional(count),
    ppid: optional(count),
  },
  /** Told once, behind the commands themselves: what was watched, and how many there were. */
  "commands-observed": {
    available: flag,
    /** Why not, in the words of specification 003. */
    reason: optional(oneOf("wrappers disabled", "no wrapped binaries invoked", "permission issue", "unknown")),
    problem,
    sources: list(commandSource),
    wrapped: described(list(text), "The names that wrappers stood for: no other command was seen by them"),
    /** Null: nobody counted. It may be more than there are facts of the single commands; the log has all of them. */
    observed: nullable(count),
    categories: list(commandCategory),
    log: file,
    /** Absent: nobody looked. */
    effects: optional(traceEffects),
  },
  /** The verdict of one check. */
  check: { id: text, group: checkGroup, status: checkStatus, message: text, evidence: list(evidence) },
  /** All checks have been told. `problem`: what made it end early. */
  evaluation: { problem },
  /** What the model wrote down of the requests that came while the agent ran, where its ledger was named. */
  "model-ledger": { requests: described(nullable(count), "Null: it could not be read"), tokens, problem },
} as const satisfies Record<string, Fields>;
