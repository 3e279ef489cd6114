import type { Case } from "../cases/index.ts";
import type { AgentSettings } from "./agent-settings.ts";
import type { CaptureResult } from "./result.ts";

/**
 * One trial of one case by one entrant, as plain data: `JSON.parse(JSON.stringify(spec))` is the same spec. Its paths are
 * absolute, except a program that `command` names otherwise, and a variable may be named without its value, so that another process can
 * run it, or another machine that has the same files.
 */
export interface TrialSpec {
  readonly entrant: Entrant;
  readonly case: Case;
  /** SHA-256 over the case: what is asked. */
  readonly caseHash: string;
  /** Counted from 1. */
  readonly trialNum: number;
  /** What a copy of which it begins with: a directory, or `git url@ref`. Absent: an empty directory. */
  readonly workspace?: string;
  /** A home of its own with the agent's credentials, or the user's. */
  readonly home: "private" | "inherit";
  /** The limit of this case, or of the evaluation; else that of the entrant's settings holds. */
  readonly timeoutMs?: number;
  readonly grader?: GraderSpec;
}

/** A case and who is asked, before it is decided which trial it is. */
export type CaseTask = Omit<TrialSpec, "trialNum">;

/** Runs a trial, here or elsewhere. What goes wrong with the trial is in the result; it rejects if the trial cannot be run at all. */
export type TrialExecutor = (spec: TrialSpec, signal: AbortSignal) => Promise<CaptureResult>;

/** Who is asked, and how: the same for all cases. */
export interface Entrant {
  /** The name in the results. */
  readonly label: string;
  /** An id, or the file of an agent of the user's own. */
  readonly agent: string;
  readonly settings: AgentSettings;
  /** SHA-256 over everything except the case that decides how it is asked and judged. */
  readonly configuration: string;
}

/** How a trial is graded. */
export interface GraderSpec {
  /** As on the command line; all must pass. `function:<name>` is one that was given as code, and is known in its own process only. */
  readonly graders: readonly string[];
  /** What relative paths in them start from. */
  readonly directory: string;
  /** How long one grade may take. Default: five minutes. */
  readonly timeoutMs?: number;
  /** Who decides for `llm:`. */
  readonly judge?: JudgeSpec;
}

/** A model that is asked for an opinion: an agent, or an OpenAI-compatible endpoint. */
export type JudgeSpec = { readonly agent: string; readonly settings: AgentSettings } | EndpointSpec;

export interface EndpointSpec {
  /** Its base, such as http://127.0.0.1:11434/v1. */
  readonly url: string;
  readonly model: string;
  /** The variable of the executing process that holds its key. Default: JUDGE_API_KEY. */
  readonly keyVariable?: string;
  readonly timeoutMs?: number;
}
