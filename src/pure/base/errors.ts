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

/** The one error the library throws. Its message is for people, and names fields in backticks; a program finds the field in `option`. */
export class HarnessError extends Error {
  override readonly name = "HarnessError";
  readonly code: HarnessErrorCode;
  /** The field that was missing or wrong: `cwd`, `view`. */
  readonly option: string | undefined;

  constructor(code: HarnessErrorCode, message: string, { option, ...options }: { cause?: unknown; option?: string | undefined } = {}) {
    super(message, options);
    this.code = code;
    this.option = option;
  }
}

/** What was thrown, in words: anything can be. */
export function errorWords(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What the system calls an error, such as `ENOSPC`; empty for one that is not the system's. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
