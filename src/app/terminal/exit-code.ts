import { OK } from "./exit-codes.ts";

let code: number = OK;

/** What the command that is running will exit with, if nothing goes wrong after this. */
export function setExitCode(next: number): void {
  code = next;
}

export function exitCode(): number {
  return code;
}
