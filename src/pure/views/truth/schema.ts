import { count, described, list, named, nullable, object, oneOf, optional, type Static, text, versionLike } from "../../base/index.ts";
import { viewSchema } from "../view-schema.ts";

export const TRUTH_VERSION = "1.1";

/** The rule that made the finding; docs/reference/checks.md lists them all. */
export const truthRule = oneOf(
  "write-without-trace",
  "change-without-report",
  "tests-claimed-unseen",
  "tests-claimed-failed",
  "test-run-unseen",
  "test-run-failed",
  "command-without-report",
  "success-while-blocked",
  "tokens-differ",
  "tests-none-ran",
  "tests-claimed-stale",
  "tests-removed",
  "command-never-started",
  "command-failed",
  "commit-never-made",
  "write-claimed-unseen",
  "change-denied",
  "claim-unobserved",
);
export type TruthRule = Static<typeof truthRule>;

/** One side of a finding: the report or the observation, with its events. */
const side = named(
  object({ text, events: described(list(count), "The numbers of the events that show it") }),
  "Side",
  "What was reported, or what was observed",
);
export type Side = Static<typeof side>;

/** A contradiction between the agent's report and the observations. */
const finding = object({ rule: truthRule, message: text, declared: side, observed: side });
export type Finding = Static<typeof finding>;

/** What a rule could not check, and why. It is stated, never guessed. */
const unobservable = object({
  rule: truthRule,
  reason: text,
  claim: optional(text, "The agent's claim that is therefore undecided; it makes the verdict unknown"),
});
export type Unobservable = Static<typeof unobservable>;

const truth = object({
  schemaVersion: versionLike(TRUTH_VERSION),
  /** `consistent`: files and commands were observed, every claim could be checked, and everything matches. */
  verdict: described(
    oneOf("consistent", "contradicted", "unknown"),
    "unknown: nothing contradicts the agent, but a claim could not be checked, or not everything was observed",
  ),
  findings: described(list(finding), "The first findings"),
  total: described(count, "The number of findings"),
  unobservable: described(list(unobservable), "What could not be checked, and why"),
  compared: described(object({ calls: count, changes: nullable(count), commands: nullable(count) }), "How much was compared"),
});
export type Truth = Static<typeof truth>;

export const truthSchema = viewSchema({
  name: "truth",
  version: TRUTH_VERSION,
  title: "Truth",
  description: "What an agent reported, compared with what was observed.",
  shape: truth,
});
