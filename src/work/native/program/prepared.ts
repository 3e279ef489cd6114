import type { HarnessEvent, HarnessEventOf } from "../../../pure/events/index.ts";

/** A run that is about to begin. */
export interface Prepared {
  readonly events: AsyncIterable<HarnessEvent>;
  /** Answers a `relay`: here no user can be asked. */
  answer(relay: HarnessEventOf<"relay">): void;
  /** Extra fields of the first line: the model's instructions and tools. */
  readonly session: { readonly system: string; readonly tools: readonly string[]; readonly resumes?: object };
  close(): Promise<void>;
}

export interface Place {
  readonly prompt: string;
  readonly runId: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
}
