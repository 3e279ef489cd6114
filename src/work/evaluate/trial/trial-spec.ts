import {
  either,
  flawOf,
  HarnessError,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  ordinal,
  type Static,
  text,
} from "../../../pure/base/index.ts";
import { caseTask } from "../cases/index.ts";
import { agentSettings, milliseconds } from "./agent-settings.ts";
import { type CaptureResult, inputs, sha256 } from "./result.ts";
import { workspaceLayer } from "./workspace-layer.ts";

const entrant = object({
  /** The name in the results. */
  label: text,
  /** An id, or the file of a user's own agent. */
  agent: text,
  settings: agentSettings,
  /** What its program printed as its version. */
  version: optional(nullable(text)),
  /** What is laid over every workspace, or left out of it, in this order. */
  layers: optional(list(workspaceLayer)),
  /** SHA-256 over everything except the case that decides how it runs and is graded. */
  configuration: sha256,
});
/** An agent with its settings, the same for all cases. */
export type Entrant = Static<typeof entrant>;

const endpoint = object({
  /** Its base address, such as http://127.0.0.1:11434/v1. */
  url: text,
  model: text,
  /** The variable of the executing process with the key. Default: JUDGE_API_KEY. */
  keyVariable: optional(text),
  timeoutMs: optional(milliseconds),
});
export type EndpointSpec = Static<typeof endpoint>;

const judge = either(object({ agent: text, settings: agentSettings }), endpoint);
/** A model that gives an opinion: an agent, or an OpenAI-compatible endpoint. */
export type JudgeSpec = Static<typeof judge>;

const grader = object({
  /** As on the command line; all must pass. `function:<name>` was passed as code and exists only in its own process. */
  graders: list(text),
  /** The base of their relative paths. */
  directory: text,
  /** How long one grade may take. Default: five minutes. */
  timeoutMs: optional(milliseconds),
  /** The data set, its reference solutions and the results: not there for the programs of graders, unless one names them. */
  hidden: optional(list(text)),
  /** The judge for `llm:`. */
  judge: optional(judge),
});
/** How a trial is graded. */
export type GraderSpec = Static<typeof grader>;

/**
 * One trial of one case by one entrant, as plain data: `JSON.parse(JSON.stringify(spec))` is the same spec. A different process, or a
 * machine with the same files, can run it: its paths are absolute, unless `command` names a program without one, and it may name a
 * variable without its value.
 */
export const trialSpec = object({
  /** The id of the evaluation, which is sealed in the run. */
  evaluation: optional(text),
  entrant,
  case: caseTask,
  /** SHA-256 over the case. */
  caseHash: sha256,
  /** Counted from 1. */
  trialNum: ordinal,
  /** The trial starts with a copy of this directory or repository, `url@ref` or `path@ref`. Absent: an empty directory. */
  workspace: optional(text),
  /** `private`: a separate home with the agent's credentials. `inherit`: the user's home. */
  home: oneOf("private", "inherit"),
  /** The limit of this case or of the evaluation. If absent, the entrant's settings apply. */
  timeoutMs: optional(milliseconds),
  grader: optional(grader),
  /** The seed that chose the cases. */
  seed: optional(either(number, text)),
  /** Hashes of the evaluation file and of everything it refers to. */
  inputs: optional(inputs),
  /** The part of the evaluation that the call runs: `3/20`. */
  shard: optional(text),
});
export type TrialSpec = Static<typeof trialSpec>;

/** Throws unless every field is one of a spec and has its type: a misspelled `home` must not mean the user's own. */
export function checkTrialSpec(value: unknown): asserts value is TrialSpec {
  const flaw = flawOf(trialSpec, value, { strict: true });
  if (flaw === undefined) return;
  const [option = "spec"] = flaw;
  const place = flaw.length === 0 ? "it is not an object" : `\`${flaw.join(".")}\` is missing, unknown or not valid`;
  throw new HarnessError("usage", `This is not the spec of a trial: ${place}.`, { option: String(option) });
}

/** A case and an agent, before the number of the trial is known. */
export type CaseTask = Omit<TrialSpec, "trialNum">;

/** Runs a trial, here or elsewhere. A failure of the trial is in the result; it rejects if the trial cannot run at all. */
export type TrialExecutor = (spec: TrialSpec, signal: AbortSignal) => Promise<CaptureResult>;
