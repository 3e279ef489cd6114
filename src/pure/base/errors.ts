/** Why something we were asked to do could not be done. Data never throws: these are for misuse and for the machine. */
export type HarnessErrorCode =
  | "usage"
  | "input"
  | "output"
  /** The agent could not be started. */
  | "start"
  /** Another process is writing it. */
  | "locked"
  /** Our own log could not be written. */
  | "log";

/** The one error the library throws. Its message is a sentence for a person and names the remedy. */
export class HarnessError extends Error {
  override readonly name = "HarnessError";
  readonly code: HarnessErrorCode;

  constructor(code: HarnessErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** What was thrown, in words: anything can be. */
export function errorWords(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
