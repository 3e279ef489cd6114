import { anyObject, described, either, leaf, list, object, optional, type Static, text } from "../../../pure/base/index.ts";

/** Longer ids are a mistake, and would fill every report. */
export const LONGEST_ID = 256;

const id = leaf<string>(
  { type: "string", minLength: 1, maxLength: LONGEST_ID },
  (value) => typeof value === "string" && value !== "" && value.length <= LONGEST_ID,
);
const turns = list(text);
const someTurns = { ...turns, json: (parts: Map<string, object>) => ({ minItems: 1, ...turns.json(parts) }) };
const positive = leaf<number>({ type: "number", exclusiveMinimum: 0 }, (value) => typeof value === "number" && value > 0);

/** A case as it is written down: without metadata, or with the later name of `expected`. */
export const caseRow = object({
  id: described(id, "Once per file; never a path"),
  input: described(either(text, someTurns), "The prompt; a list is a conversation"),
  expected: optional(text, "What graders compare with"),
  hint: optional(text, "The later name of expected"),
  reference: optional(text, "A solution that must pass: a text, files:<directory> or command:<shell command>"),
  metadata: optional(anyObject),
  timeout: optional(positive, "Milliseconds"),
  workspace: optional(text, "A directory, relative to the file, or git url@ref"),
  setup: optional(text, "A shell command that is run in the workspace before the agent starts"),
});
export type CaseRow = Static<typeof caseRow>;

/** A row of a data set: what is asked, and what is known about a good answer. */
export type Case = Omit<CaseRow, "metadata" | "hint"> & { readonly metadata: Readonly<Record<string, unknown>> };

/** Where a case stands in its file, so that a large data set need not be kept in memory. */
export interface CasePlace {
  readonly id: string;
  readonly line: number;
  readonly offset: number;
  readonly length: number;
  readonly turns: number;
}

export function turnsOf({ input }: Pick<Case, "input">): readonly string[] {
  return typeof input === "string" ? [input] : input;
}
