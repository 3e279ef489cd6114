import type { RunStatus } from "./event.ts";
import type { Stop } from "./record.ts";
import type { Tokens } from "./tokens.ts";

/**
 * What is established about a run from outside the agent: each is a fact that stands in the recording, so that every view of it is a
 * function of the run's events. What is large is a file, with its hash here; what was not, or could not be, observed is null or says why.
 */

/** A file that belongs to a run. `path` begins at the directory of the observation, and of the run: `artifacts/fs_diff.patch`. */
export interface FileRef {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** How much of the request and of the command line is shown: as it is, only its form, or only its hash. */
export type CaptureMode = "full" | "redacted" | "hashed";
export type Environment = "local" | "ci" | "staging" | "prod" | "unknown";
/** Whether we see the agent from outside, or it runs in our own process and tells everything. */
export type ObservabilityMode = "black_box" | "white_box";

/** Something that was asked of the agent. `type` is what kind of demand it is: the first word of a known id, `prohibited`, `success`, `custom`. */
export interface Constraint {
  readonly id: string;
  readonly type: string;
  readonly rule: string;
  /** As the scenario gives them, for the check of that name. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** The first fact: that the run is observed, for which scenario, and what was asked for. */
export interface ObservationBody {
  readonly type: "observation";
  readonly mode: ObservabilityMode;
  /** The scenario's id; `default` for a bare prompt. */
  readonly scenario: string;
  readonly environment: Environment;
  readonly capture: CaptureMode;
  /** As the capture mode has it. */
  readonly request: string;
  readonly constraints: readonly Constraint[];
  /** Null: it would not tell. */
  readonly agentVersion: string | null;
  readonly metadata?: FileRef;
}

/** The agent's workspace is there. */
export interface WorkspaceBody {
  readonly type: "workspace-prepared";
  readonly root: string;
  readonly source: "empty" | "copied";
  /** The directory it was copied from. */
  readonly copiedFrom?: string;
  /** Everything in it, before the agent starts. */
  readonly manifest?: FileRef;
  readonly entries: number | null;
  readonly bytes: number | null;
  /** What could not be done, in a sentence. */
  readonly problem?: string;
}

/** Told right before the agent's process is started. */
export interface ProcessStartedBody {
  readonly type: "process-started";
  readonly cwd: string;
  /** As the capture mode has it; empty where only its hash is kept. */
  readonly argv: readonly string[];
  /** Of the whole argv, as JSON. */
  readonly argvSha256: string;
  /** Whether the agent was asked to tell what it does while it does it; null: not known. */
  readonly verbose: boolean | null;
}

/** The agent's process is gone, with all that it started, and everything it printed has been read: no line comes after this. */
export interface ProcessObservedBody {
  readonly type: "process-observed";
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number | null;
  readonly stopped?: Stop;
  /** Processes it left behind, which were ended. */
  readonly leftovers: number | null;
  readonly resources: Resources;
  /** What the truth table makes of it: added by the event log, no part of the record. */
  readonly status?: RunStatus | null;
}

/** What the agent and its children used, as far as somebody measured it. */
export interface Resources {
  readonly userMs: number | null;
  readonly systemMs: number | null;
  readonly maxRssBytes: number | null;
}

/** A file of the observation that is not told by another fact: what the agent printed. */
export interface ArtifactBody {
  readonly type: "artifact";
  readonly role: "stdout" | "stderr";
  readonly file?: FileRef;
  /** Other names of the same file, as specification 003 has them. */
  readonly also?: readonly string[];
  readonly problem?: string;
}

export type FileChangeKind = "added" | "modified" | "deleted" | "renamed" | "mode" | "type" | "unknown";

export interface FileChange {
  readonly kind: FileChangeKind;
  readonly path: string;
  /** Of a renamed file: what it was called before. */
  readonly was?: string;
  /** When it was last written, by its own time stamp; in epoch milliseconds. */
  readonly mtime?: number;
}

/** What is there, in the end, at a path that the agent said it had written and that has not changed. */
export interface LookedUp {
  readonly path: string;
  /** `same`: nobody touched it. `rewritten`: somebody wrote what it held already. `absent`: there is nothing. */
  readonly state: "same" | "rewritten" | "absent";
}

/** What became of the workspace: between its preparation and the agent's end, or, with `turn`, since the snapshot before. */
export interface FilesChangedBody {
  readonly type: "files-changed";
  /** Which snapshot of the running agent this is, counted from 1, and the call after which it was taken. Absent: the whole run. */
  readonly turn?: number;
  readonly callId?: string;
  readonly before?: FileRef;
  readonly after?: FileRef;
  readonly patch?: FileRef;
  readonly method: "git_diff" | "diff_ru" | "other";
  /** Null: it could not be compared; `problem` says why. */
  readonly total: number | null;
  readonly counts: Readonly<Record<FileChangeKind, number>> | null;
  /** The first of them, those outside any `.git` first. */
  readonly changes: readonly FileChange[];
  /** Unchanged paths that the agent said it had written. */
  readonly lookedUp?: readonly LookedUp[];
  /** Changes of files that the patch could not take in. */
  readonly leftOut: number;
  /** Entries of either side whose contents or names were not read: a change may hide there. */
  readonly unseen: number | null;
  readonly problem?: string;
}

export type CommandCategory = "test" | "build" | "install" | "vcs" | "network" | "file" | "other";

/** How a command was seen: by a wrapper on the PATH, which sees only what goes through it, or by tracing every start of a program. */
export type CommandSource = "wrapper" | "trace";

/** One command that was really run, seen from outside. */
export interface CommandObservedBody {
  readonly type: "command-observed";
  readonly source: CommandSource;
  readonly argv: readonly string[];
  readonly category: CommandCategory;
  readonly cwd: string | null;
  readonly startedAt: number | null;
  readonly durationMs: number | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Which process it was, and whose child. */
  readonly pid?: number;
  readonly ppid?: number;
}

/** Told once, behind the commands themselves: what was watched, and how many there were. */
export interface CommandsObservedBody {
  readonly type: "commands-observed";
  readonly available: boolean;
  /** Why not, in the words of specification 003. */
  readonly reason?: "wrappers disabled" | "no wrapped binaries invoked" | "permission issue" | "unknown";
  /** In a sentence, where there is more to say. */
  readonly problem?: string;
  readonly sources: readonly CommandSource[];
  /** The names that wrappers stood for. */
  readonly wrapped: readonly string[];
  /** Null: nobody counted. It may be more than there are facts of the single commands; the log has all of them. */
  readonly observed: number | null;
  readonly categories: readonly CommandCategory[];
  readonly log?: FileRef;
  /** What a trace saw beside the starts of programs; absent: nobody looked. */
  readonly effects?: TraceEffects;
}

/** Something beside the workspace that was changed, or somebody who was spoken to: one line of `artifacts/trace_effects.jsonl`. */
export interface TracedEffect {
  /** `write`: a file was changed; `socket`: another process of the machine was asked, at a socket; `connection`: an address. */
  readonly kind: "write" | "socket" | "connection";
  /** A path; an abstract socket with `@` before it; `address:port`. */
  readonly target: string;
  /** Of a connection. At `loopback` no process of the run listened. */
  readonly peer?: "loopback" | "other";
  /** Whether the agent itself did it, or something that it ran. */
  readonly by: "agent" | "command";
  /** The call of the system, and how often; what follows is of the first time. */
  readonly call: string;
  readonly count: number;
  readonly at: number;
  readonly pid: number;
  readonly argv: readonly string[];
}

/** Why something may have happened that the trace does not show. */
export type TraceGapReason =
  | "unresolved-path"
  | "mounts"
  | "io-uring"
  | "untraced-process"
  | "outlived"
  | "other-process"
  | "other-abi"
  | "unread-line"
  | "too-many";

export interface TraceGap {
  readonly reason: TraceGapReason;
  readonly count: number;
  /** The first of them. */
  readonly example?: string;
}

/** What a whole trace saw beside the starts of programs. */
export interface TraceEffects {
  /** So many lines of the log, by kind. */
  readonly writes: number;
  readonly sockets: number;
  readonly connections: number;
  /** The first of them. */
  readonly first: readonly TracedEffect[];
  /** Empty: all was seen. */
  readonly gaps: readonly TraceGap[];
  /** The home directory that the agent was started with. */
  readonly home?: string;
  readonly log?: FileRef;
}

/** What the model wrote down of the requests that came while the agent ran, where its ledger was named. */
export interface ModelLedgerBody {
  readonly type: "model-ledger";
  /** Null: it could not be read; `problem` says why. */
  readonly requests: number | null;
  readonly tokens: Tokens;
  readonly problem?: string;
}

export type CheckGroup = "alignment" | "quality" | "policy";
export type CheckStatus = "pass" | "warn" | "fail" | "unknown";

/** What a verdict rests on: an excerpt, or the hash of what was looked at. Always bounded. */
export interface Evidence {
  readonly source: "stdout" | "stderr" | "fs_diff" | "manifest" | "commands" | "events" | "scenario";
  readonly path?: string;
  readonly line?: number;
  readonly excerpt?: string;
  readonly sha256?: string;
  /** Numbers of the events it is about. */
  readonly events?: readonly number[];
}

/** The verdict of one check. */
export interface CheckBody {
  readonly type: "check";
  readonly id: string;
  readonly group: CheckGroup;
  readonly status: CheckStatus;
  readonly message: string;
  readonly evidence: readonly Evidence[];
  readonly rule?: string;
}

/** All checks have been told. */
export interface EvaluationBody {
  readonly type: "evaluation";
  /** What made it end early, in a sentence. */
  readonly problem?: string;
}

/** What only the recorder can say; no agent's file may. */
export type ObservedBody =
  | ObservationBody
  | WorkspaceBody
  | ProcessStartedBody
  | ProcessObservedBody
  | ArtifactBody
  | FilesChangedBody
  | CommandObservedBody
  | CommandsObservedBody
  | ModelLedgerBody
  | CheckBody
  | EvaluationBody;

export type ObservedType = ObservedBody["type"];
