import { anyObject, described, either, leaf, list, object, optional, type Shape, type Static, text } from "../../../pure/base/index.ts";

/** A longer id is a mistake and would fill every report. */
export const LONGEST_ID = 256;

const id = leaf<string>(
  { type: "string", minLength: 1, maxLength: LONGEST_ID },
  (value) => typeof value === "string" && value !== "" && value.length <= LONGEST_ID,
);
/** Blank or unencodable text cannot be a prompt. */
const turn: Shape<string> = { ...text, flaw: (value) => (typeof value === "string" && isPrompt(value) ? undefined : []) };
const isPrompt = (value: string) => value.trim() !== "" && !/\p{Surrogate}/u.test(value);
const turns = list(turn);
const someTurns: Shape<readonly string[]> = {
  flaw: (value, strict) => (Array.isArray(value) && value.length === 0 ? [] : turns.flaw(value, strict)),
  json: (parts: Map<string, object>) => ({ minItems: 1, ...turns.json(parts) }),
};
const positive = leaf<number>({ type: "number", exclusiveMinimum: 0 }, (value) => typeof value === "number" && value > 0);

/** A case as written: metadata is optional, and `expected` may use its newer name. */
export const caseRow = object({
  id: described(id, "Unique in the file; never used as a path"),
  input: described(either(turn, someTurns), "The prompt; a list is a conversation"),
  expected: optional(text, "What graders compare with"),
  hint: optional(text, "The newer name of expected"),
  reference: optional(text, "A solution that must pass: text, files:<directory> or command:<shell command>"),
  metadata: optional(anyObject),
  timeout: optional(positive, "Milliseconds"),
  workspace: optional(text, "A directory, relative to the file, or a repository: url@ref or path@ref"),
  setup: optional(text, "A shell command to run in the workspace before the agent starts"),
});
export type CaseRow = Static<typeof caseRow>;

const { hint: _, ...fields } = caseRow.fields;
/** A row of a data set: the task, and what is known about a good answer. */
export const caseTask = object({ ...fields, metadata: anyObject });
export type Case = Static<typeof caseTask>;

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
