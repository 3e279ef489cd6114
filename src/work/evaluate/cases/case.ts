import { anyObject, described, either, leaf, list, object, optional, type Static, text } from "../../../pure/base/index.ts";

/** A longer id is a mistake and would fill every report. */
export const LONGEST_ID = 256;

const id = leaf<string>(
  { type: "string", minLength: 1, maxLength: LONGEST_ID },
  (value) => typeof value === "string" && value !== "" && value.length <= LONGEST_ID,
);
const turns = list(text);
const someTurns = { ...turns, json: (parts: Map<string, object>) => ({ minItems: 1, ...turns.json(parts) }) };
const positive = leaf<number>({ type: "number", exclusiveMinimum: 0 }, (value) => typeof value === "number" && value > 0);

/** A case as written: metadata is optional, and `expected` may use its newer name. */
export const caseRow = object({
  id: described(id, "Unique in the file; never used as a path"),
  input: described(either(text, someTurns), "The prompt; a list is a conversation"),
  expected: optional(text, "What graders compare with"),
  hint: optional(text, "The newer name of expected"),
  reference: optional(text, "A solution that must pass: text, files:<directory> or command:<shell command>"),
  metadata: optional(anyObject),
  timeout: optional(positive, "Milliseconds"),
  workspace: optional(text, "A directory, relative to the file, or git url@ref"),
  setup: optional(text, "A shell command to run in the workspace before the agent starts"),
});
export type CaseRow = Static<typeof caseRow>;

/** A row of a data set: the task, and what is known about a good answer. */
export type Case = Omit<CaseRow, "metadata" | "hint"> & { readonly metadata: Readonly<Record<string, unknown>> };

/** A case's position in its file, so that a large data set need not stay in memory. */
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
