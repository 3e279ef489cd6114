import type { Tokens } from "../../events/index.ts";

/** What Claude Code's translator remembers between lines. */
export interface State {
  sessionId: string | undefined;
  model: string | undefined;
  cwd: string | undefined;
  /** Calls with an emitted denial. */
  readonly denied: Set<string>;
  /** The last API error, which `result` repeats, and its error code, which `result` does not. */
  lastError: string | undefined;
  errorCode: string | undefined;
  /** The main thread's last text, and whether the CLI has reported since that it was cut off. */
  lastText: string | undefined;
  lastId: string | undefined;
  cutOff: boolean;
  /** The message that partial messages belong to. */
  streaming: string | undefined;
  /** Tokens of the answers since the last result, and the last of these answers. */
  answers: Tokens;
  answer: string | undefined;
  /** Tokens of the partial messages since the last result, and those of the one that has not ended. */
  streamed: Tokens;
  underway: Tokens;
  /** The last result, and the session's cost according to the results so far. */
  uuid: string | undefined;
  cost: number;
  /** A hook blocked the prompt: nothing is done, and the result still says success. */
  blockedByHook: boolean;
  /** A result has claimed success, and nothing since contradicts it. */
  claimed: boolean;
  /** Number of background tasks. While any runs, a result is not the last one. */
  background: number;
}
