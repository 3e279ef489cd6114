import { count, described, list, named, nullable, object, oneOf, type Static, text, versionLike } from "../../base/index.ts";
import { viewSchema } from "../view-schema.ts";

export const TRUTH_VERSION = "1.0";

/** Which rule found it: docs/reference/checks.md has them all. */
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
);
export type TruthRule = Static<typeof truthRule>;

/** One side of a finding: what is said or seen, and the events that show it. */
const side = named(
  object({ text, events: described(list(count), "Numbers of the events that show it") }),
  "Side",
  "What is said, or what was seen",
);
export type Side = Static<typeof side>;

/** Where what the agent says and what was seen do not fit. */
const finding = object({ rule: truthRule, message: text, declared: side, observed: side });
export type Finding = Static<typeof finding>;

/** What a rule could not look at, and why: it is said, and not guessed. */
const unobservable = object({ rule: truthRule, reason: text });
export type Unobservable = Static<typeof unobservable>;

const truth = object({
  schemaVersion: versionLike(TRUTH_VERSION),
  /** `consistent`: files and commands were observed, and all fits. */
  verdict: described(
    oneOf("consistent", "contradicted", "unknown"),
    "unknown: nothing speaks against the agent, and not all of it was observed",
  ),
  findings: described(list(finding), "The first of them"),
  total: described(count, "How many findings there are"),
  unobservable: described(list(unobservable), "What could not be looked at, and why"),
  compared: described(object({ calls: count, changes: nullable(count), commands: nullable(count) }), "How much was compared"),
});
export type Truth = Static<typeof truth>;

export const truthSchema = viewSchema({
  name: "truth",
  version: TRUTH_VERSION,
  title: "Truth",
  description: "What an agent says it did, against what was observed of it.",
  shape: truth,
});
