import type { Used } from "../../../pure/events/index.ts";

/** A model that gives an opinion. */
export interface Judge {
  readonly name: string;
  /** Its whole answer; rejects if there is none. The verdict at the end of the answer must repeat the nonce, which the prompt names too. */
  ask(prompt: string, signal: AbortSignal, nonce: string): Promise<string | JudgeReply>;
}

/** One attempt to get an answer. `usage` is absent if a failed attempt used nothing. */
export interface JudgeReply extends Partial<Used> {
  /** The whole answer, if there is one. */
  readonly text?: string;
  /** Why there is none. */
  readonly error?: string;
  /** A later attempt may succeed, after the wait that the provider asks for. */
  readonly isTransient?: boolean;
  readonly retryAfterMs?: number | undefined;
  /** The recorded run. */
  readonly run?: string;
  /** It was answered before: this took nothing. */
  readonly isRecalled?: true;
}
