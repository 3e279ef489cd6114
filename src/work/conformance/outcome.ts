import type { Judgement } from "./judgement.ts";
import type { Shapes } from "./shapes.ts";

/** What became of one scenario with one agent. What could not even be judged has its reason among the problems. */
export interface Outcome extends Pick<Judgement, "problems"> {
  readonly scenario: string;
  readonly judgement: Judgement | null;
  readonly milliseconds: number;
  /** How many lines it printed. */
  readonly lines: number;
  /** Those of them that nobody could read. */
  readonly unread: readonly unknown[];
  /** What the model served. */
  readonly requests: number;
  readonly tokens: number;
  readonly shapes: Shapes;
  /** Where the run was, if that is kept. */
  readonly folder?: string;
}
