import type { Case } from "../cases/index.ts";
import type { AgentSettings } from "./agent-settings.ts";
import type { CaptureResult } from "./result.ts";

/**
 * One trial of one case by one entrant, as plain data: `JSON.parse(JSON.stringify(spec))` is the same spec. A different process, or a
 * machine with the same files, can run it: its paths are absolute, unless `command` names a program without one, and it may name a
 * variable without its value.
 */
export interface TrialSpec {
  readonly entrant: Entrant;
  readonly case: Case;
  /** SHA-256 over the case. */
  readonly caseHash: string;
  /** Counted from 1. */
  readonly trialNum: number;
  /** The trial starts with a copy of this directory or `git url@ref`. Absent: an empty directory. */
  readonly workspace?: string;
  /** `private`: a separate home with the agent's credentials. `inherit`: the user's home. */
  readonly home: "private" | "inherit";
  /** The limit of this case or of the evaluation. If absent, the entrant's settings apply. */
  readonly timeoutMs?: number;
  readonly grader?: GraderSpec;
}

/** A case and an agent, before the number of the trial is known. */
export type CaseTask = Omit<TrialSpec, "trialNum">;

/** Runs a trial, here or elsewhere. A failure of the trial is in the result; it rejects if the trial cannot run at all. */
export type TrialExecutor = (spec: TrialSpec, signal: AbortSignal) => Promise<CaptureResult>;

/** An agent with its settings, the same for all cases. */
export interface Entrant {
  /** The name in the results. */
  readonly label: string;
  /** An id, or the file of a user's own agent. */
  readonly agent: string;
  readonly settings: AgentSettings;
  /** SHA-256 over everything except the case that decides how it runs and is graded. */
  readonly configuration: string;
}

/** How a trial is graded. */
export interface GraderSpec {
  /** As on the command line; all must pass. `function:<name>` was passed as code and exists only in its own process. */
  readonly graders: readonly string[];
  /** The base of their relative paths. */
  readonly directory: string;
  /** How long one grade may take. Default: five minutes. */
  readonly timeoutMs?: number;
  /** The judge for `llm:`. */
  readonly judge?: JudgeSpec;
}

/** A model that gives an opinion: an agent, or an OpenAI-compatible endpoint. */
export type JudgeSpec = { readonly agent: string; readonly settings: AgentSettings } | EndpointSpec;

export interface EndpointSpec {
  /** Its base address, such as http://127.0.0.1:11434/v1. */
  readonly url: string;
  readonly model: string;
  /** The variable of the executing process with the key. Default: JUDGE_API_KEY. */
  readonly keyVariable?: string;
  readonly timeoutMs?: number;
}
