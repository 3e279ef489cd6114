export type StepKind = "start" | "user" | "text" | "reasoning" | "call" | "code" | "result" | "relay" | "error" | "end";
export type StepState = "ok" | "failed" | "denied" | "open";

/** What a drawing shows in one place: a node, or several that belong together. */
export interface Step {
  readonly id: string;
  /** The run in whose lane it stands. */
  readonly run: string;
  readonly kind: StepKind;
  readonly title: string;
  readonly detail: string;
  /** What came of it. */
  readonly outcome: string;
  readonly state: StepState | undefined;
  /** How many of them it stands for. */
  readonly count: number;
  readonly from: readonly Link[];
}

/** The step before it in its lane; the one that sent its run out; the last one of a run that it was waiting for. */
export interface Link {
  readonly id: string;
  readonly kind: "next" | "branch" | "return";
}
