import type { HarnessEvent } from "../../../pure/events/index.ts";

/** A run that is about to begin. */
export interface Prepared {
  readonly events: AsyncIterable<HarnessEvent>;
  /** What is said to a `relay`: here nobody can be asked. */
  answer(relay: string): void;
  /** What the first line says of it beside its name: all that the model is told. */
  readonly session: { readonly system: string; readonly tools: readonly string[]; readonly resumes?: object };
  close(): Promise<void>;
}

export interface Place {
  readonly prompt: string;
  readonly runId: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
}
