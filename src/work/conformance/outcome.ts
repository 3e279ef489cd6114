import type { Judgement } from "./judgement.ts";
import type { Shapes } from "./shapes.ts";

/** The result of one scenario with one agent. If it could not be judged, the reason is among the problems. */
export interface Outcome extends Pick<Judgement, "problems"> {
  readonly scenario: string;
  readonly judgement: Judgement | null;
  readonly milliseconds: number;
  readonly lines: number;
  readonly unread: readonly unknown[];
  readonly requests: number;
  readonly tokens: number;
  readonly shapes: Shapes;
  /** The run's folder, if it is kept. */
  readonly folder?: string;
}
