import { OK } from "./exit-codes.ts";

let code: number = OK;

/** Sets the exit code of this process; a later error overrides it. */
export function setExitCode(next: number): void {
  code = next;
}

export function exitCode(): number {
  return code;
}
