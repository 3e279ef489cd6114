import type { RunStatus, SessionUsage, Stop, Tokens } from "../../../pure/events/index.ts";
import type { AgentOrigin, Evaluated } from "../../../pure/pipeline/index.ts";
import type { Fingerprints } from "./fingerprints.ts";

export const MANIFEST_VERSION = "1.0";

/** `run.json`: who, what and where, written when the run starts; `sealed` is added at its end, and makes it finished. */
export interface RunManifest {
  readonly schemaVersion: typeof MANIFEST_VERSION;
  readonly id: string;
  readonly name?: string;
  readonly tags: readonly string[];
  /** The case of an evaluation that it is a trial of. */
  readonly evaluated?: Evaluated;
  /** Of an observed run: the directory of the observation, and which views are kept there, by the names of their files. */
  readonly observed?: { readonly out: string; readonly views?: Readonly<Record<string, string>> };
  readonly agent: string;
  /** Of an agent that is not one of ours: the file it was read from; a schema also as it was, so that the run can do without the file. */
  readonly agentFile?: AgentOrigin;
  /** Whose format its output is read as, where that is not the agent's own. */
  readonly like?: string;
  readonly startedAt: number;
  readonly cwd: string;
  readonly model?: string;
  readonly permissions: string;
  /** What was permitted or refused by rule. */
  readonly rules?: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  /** Names of the servers that the agent was given. */
  readonly mcp?: readonly string[];
  /** The run whose session this one goes on with. */
  readonly resumes?: string;
  /** What its session is called, where its agent does not tell, and what it had used before. */
  readonly session?: { readonly name: string; readonly used?: SessionUsage };
  /** The prompt itself is in `prompt.txt`, masked in so many places. */
  readonly prompt: { readonly bytes: number; readonly sha256: string; readonly masked?: number };
  /** Absent where `origin` is there. */
  readonly command?: { readonly binary: string; readonly args: readonly string[]; readonly promptBy: PromptBy };
  /** Where its bytes came from, of a run that was no process of ours, and what is known about that. */
  readonly origin?: { readonly id: string; readonly about?: Readonly<Record<string, unknown>> };
  /** What started it, if that is not the local launcher, and what that said about itself. */
  readonly launcher?: { readonly id: string; readonly about?: Readonly<Record<string, unknown>> };
  /** Names only: values never leave the process. */
  readonly environment: { readonly set: readonly string[]; readonly removed: readonly string[] };
  /** Whose values are masked, and what lets a later process mask them too without knowing them; emptied by the seal. */
  readonly secrets: { readonly names: readonly string[]; readonly fingerprints?: Fingerprints };
  readonly recorder: {
    readonly version: string;
    readonly node: string;
    readonly platform: string;
    readonly host: string;
    readonly pid: number;
  };
  /** What every process of the run carries in its environment. */
  readonly cookie: string;
  /** How it ended, where the log could not be written any more: the next open completes the rest. */
  readonly ended?: RunEnd;
  readonly sealed?: Seal;
  /** Of a sealed run: SHA-256 of this object as compact JSON, without this field. */
  readonly digest?: string;
}

/** How the agent gets its prompt: on its standard input, among its arguments, or in the course of a conversation. */
export type PromptBy = "stdin" | "argument" | "protocol";

export interface RunEnd {
  readonly at: number;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number | null;
  readonly stopped?: Stop;
}

/** What makes a run finished: its verdict, and what the files held when it was told. */
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
  readonly usage: Tokens;
  readonly costUsd: number | null;
  readonly toolCalls: number;
  readonly subagents: number;
  readonly unknown: number;
  /** How many places were masked, as far as that is recorded. */
  readonly masked: number;
  /** Processes that the agent left behind, and that were ended. */
  readonly leftovers: number | null;
  readonly records: number;
  readonly events: number;
  /** The last hash of the chain in `records.jsonl`: it stands for every byte before it. */
  readonly head: string;
  readonly files: Readonly<Record<string, FileSeal>>;
  /** Where the agent truncated its own output: what was before is gone. */
  readonly truncated?: readonly Truncation[];
  /** What had to be repaired before this seal could be made; absent where nothing had. */
  readonly repairs?: readonly string[];
}

export interface FileSeal {
  readonly bytes: number;
  readonly sha256: string;
}

/** From `offset` of the stream on, bytes stand at `offset − base` of the file. */
export interface Truncation {
  readonly stream: "stdout" | "stderr";
  readonly offset: number;
  readonly base: number;
}
