export type StepKind = "start" | "user" | "text" | "reasoning" | "call" | "code" | "result" | "relay" | "error" | "end";
export type StepState = "ok" | "failed" | "denied" | "open";

/** One box in a drawing: a node, or several that belong together. */
export interface Step {
  readonly id: string;
  /** The run whose lane it is in. */
  readonly run: string;
  readonly kind: StepKind;
  readonly title: string;
  readonly detail: string;
  /** The result. */
  readonly outcome: string;
  readonly state: StepState | undefined;
  /** The number of merged steps. */
  readonly count: number;
  readonly from: readonly Link[];
}

/** `next`: the step before it in its lane. `branch`: the step that started its run. `return`: the last step of a run it waited for. */
export interface Link {
  readonly id: string;
  readonly kind: "next" | "branch" | "return";
}
