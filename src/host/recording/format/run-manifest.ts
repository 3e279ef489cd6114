import type { PartialCost, PartialUsage, RunStatus, SessionUsage, Stop, Tokens } from "../../../pure/events/index.ts";
import type { Evidence } from "../../../pure/isolation/index.ts";
import type { AgentOrigin, Evaluated, NetworkSum } from "../../../pure/pipeline/index.ts";
import type { Fingerprints } from "./fingerprints.ts";

export const MANIFEST_VERSION = "1.0";

/** `run.json`: who, what and where, written when the run starts. `sealed` is added at the end and marks it as finished. */
export interface RunManifest {
  readonly schemaVersion: typeof MANIFEST_VERSION;
  readonly id: string;
  readonly name?: string;
  readonly tags: readonly string[];
  /** The evaluation case that this run is a trial of. */
  readonly evaluated?: Evaluated;
  /** For an observed run: the directory of the observation, and the views stored there, by file name. */
  readonly observed?: { readonly out: string; readonly views?: Readonly<Record<string, string>> };
  readonly agent: string;
  /** For a user-defined agent: the file it was read from. A schema is also stored here, so the run does not need the file. */
  readonly agentFile?: AgentOrigin;
  /** The agent whose format the output is read as, if not its own. */
  readonly like?: string;
  readonly startedAt: number;
  readonly cwd: string;
  readonly model?: string;
  readonly permissions: string;
  /** The calls that rules allowed or denied. */
  readonly rules?: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  /** Names of the MCP servers that the agent got. */
  readonly mcp?: readonly string[];
  /** The run that this one resumes. */
  readonly resumes?: string;
  /** The session's name, for an agent that does not report one, and what the session had used before. */
  readonly session?: { readonly name: string; readonly used?: SessionUsage };
  /** The prompt itself is in `prompt.txt`; `masked` counts the masked places. */
  readonly prompt: { readonly bytes: number; readonly sha256: string; readonly masked?: number };
  /** Absent if there is an `origin`. */
  readonly command?: {
    readonly binary: string;
    readonly args: readonly string[];
    readonly promptBy: PromptBy;
    /** The agent is part of this package, and the program that ran it is not. */
    readonly foreign?: true;
  };
  /** For a run that was not our process: the origin of its bytes, and what is known about it. */
  readonly origin?: { readonly id: string; readonly about?: Readonly<Record<string, unknown>> };
  /** What started the run, if not the local launcher, and what the launcher said about itself. */
  readonly launcher?: { readonly id: string; readonly about?: Readonly<Record<string, unknown>> };
  /** The walls around the agent: absent if a different launcher built them, or the run is not our process. */
  readonly isolation?: Evidence;
  /** Names only: values never leave the process. */
  readonly environment: { readonly set: readonly string[]; readonly removed: readonly string[] };
  /** The masked variables, and fingerprints that let a later process mask them without knowing them. The seal removes the fingerprints. */
  readonly secrets: { readonly names: readonly string[]; readonly fingerprints?: Fingerprints };
  readonly recorder: {
    readonly version: string;
    /** The version of the translators that wrote the views; absent: the first. */
    readonly translation?: number;
    readonly node: string;
    readonly platform: string;
    readonly host: string;
    readonly pid: number;
  };
  /** Every process of the run carries it in its environment. */
  readonly cookie: string;
  /** How the run ended, if the log could no longer be written: the next open completes the rest. */
  readonly ended?: RunEnd;
  readonly sealed?: Seal;
  /** For a sealed run: SHA-256 of this object as compact JSON, without this field. */
  readonly digest?: string;
}

/** How the agent gets its prompt: on standard input, among its arguments, or in a conversation. */
export type PromptBy = "stdin" | "argument" | "protocol";

export interface RunEnd {
  readonly at: number;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number | null;
  readonly stopped?: Stop;
}

/** What makes a run finished: its verdict, and the contents of the files at that time. */
export interface Seal {
  readonly at: number;
  readonly status: RunStatus | null;
  readonly reason: string | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stopped?: Stop;
  readonly durationMs: number | null;
  readonly sessionId: string | null;
  readonly model: string | null;
  /** Of the whole run; what the agent reports of a part stands apart. */
  readonly usage: Tokens;
  readonly costUsd: number | null;
  readonly partialUsage?: PartialUsage;
  readonly partialCost?: PartialCost;
  readonly toolCalls: number;
  readonly subagents: number;
  readonly unknown: number;
  /** For a sealed run that tried to reach something: its connections, and the bytes they carried. */
  readonly network?: NetworkSum;
  /** How many places were masked, as far as recorded. */
  readonly masked: number;
  /** Processes that the agent left behind and that were ended. */
  readonly leftovers: number | null;
  readonly records: number;
  readonly events: number;
  /** The last hash of the chain in `records.jsonl`, which covers every byte before it. */
  readonly head: string;
  readonly files: Readonly<Record<string, FileSeal>>;
  /** The places at which the agent truncated its own output: everything before is gone. */
  readonly truncated?: readonly Truncation[];
  /** What had to be repaired before sealing; absent if nothing. */
  readonly repairs?: readonly string[];
}

export interface FileSeal {
  readonly bytes: number;
  readonly sha256: string;
}

/** From stream offset `offset` on, a byte is at `offset − base` in the file. */
export interface Truncation {
  readonly stream: "stdout" | "stderr";
  readonly offset: number;
  readonly base: number;
}
