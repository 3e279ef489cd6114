import { flag, leaf, object, oneOf, optional, type Static, text } from "../../../pure/base/index.ts";
import type { Judging } from "./judging.ts";

export const rate = leaf<number>(
  { type: "number", minimum: 0, maximum: 1 },
  (value) => typeof value === "number" && value >= 0 && value <= 1,
);

/** A grader's verdict: specification 004's GraderResult. */
export const grade = object({ pass: flag, score: rate, reasoning: optional(text) });
export type Grade = Static<typeof grade>;

/** Programs of graders run in their own walls, or without any. */
export const gradedIn = oneOf("walls", "no walls");
export type GradedIn = Static<typeof gradedIn>;

/** A verdict, or why there is none. A broken grader says nothing about the agent. */
export type Graded = ({ readonly grade: Grade } | { readonly error: string }) & {
  /** If a judge was asked: what it took. */
  readonly judging?: Judging;
  /** If it started programs: what was around them. */
  readonly gradedIn?: GradedIn;
};

export function isGraded(graded: Graded): graded is Extract<Graded, { readonly grade: Grade }> {
  return "grade" in graded;
}
