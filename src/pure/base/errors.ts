/** Why a request failed: misuse, or trouble with the machine. Data never throws. */
export type HarnessErrorCode =
  | "usage"
  | "input"
  | "output"
  /** The agent could not be started. */
  | "start"
  /** Another process is writing the file. */
  | "locked"
  /** Our own log could not be written. */
  | "log";

/** The only error the library throws. Its message is for people and names fields in backticks; programs read the field from `option`. */
export class HarnessError extends Error {
  override readonly name = "HarnessError";
  readonly code: HarnessErrorCode;
  /** The missing or invalid field: `cwd`, `view`. */
  readonly option: string | undefined;

  constructor(code: HarnessErrorCode, message: string, { option, ...options }: { cause?: unknown; option?: string | undefined } = {}) {
    super(message, options);
    this.code = code;
    this.option = option;
  }
}

/** The message of anything that can be thrown. */
export function errorWords(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's code for an error, such as `ENOSPC`; empty for other errors. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
