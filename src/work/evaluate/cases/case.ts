/** A row of a data set: what is asked, and what is known about a good answer. */
export interface Case {
  readonly id: string;
  /** The prompt; several turns are a list. */
  readonly input: string | readonly string[];
  /** What a grader compares with; `hint` in files of later versions. */
  readonly expected?: string;
  /** A solution that must pass, for `validate-refs`. */
  readonly reference?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Milliseconds. */
  readonly timeout?: number;
  /** A folder (relative to the file that names it) or `git url@ref`. */
  readonly workspace?: string;
  /** A shell command that is run in the workspace before the agent starts. */
  readonly setup?: string;
}

/** A case as it is written down: without metadata, or with the later name of `expected`. */
export type CaseRow = Omit<Case, "metadata"> & { readonly metadata?: Case["metadata"]; readonly hint?: string };

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
