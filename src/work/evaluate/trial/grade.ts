/** A grader's verdict: specification 004's GraderResult. */
export interface Grade {
  readonly pass: boolean;
  /** 0 to 1. */
  readonly score: number;
  readonly reasoning?: string;
}

/** A verdict, or why there is none. A grader that broke has said nothing about the agent. */
export type Graded = { readonly grade: Grade } | { readonly error: string };

export function isGraded(graded: Graded): graded is { readonly grade: Grade } {
  return "grade" in graded;
}
