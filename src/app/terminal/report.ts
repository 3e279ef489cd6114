import { codeOf, errorWords, HarnessError, printable } from "../../pure/base/index.ts";
import { errorExitCodes, INTERNAL, PIPE_CLOSED } from "./exit-codes.ts";
import { sentenceOf, withFlags } from "./flags.ts";
import { isClosedPipe, writeAside } from "./output.ts";

/** Prints an error on stderr in one line, and returns its exit code. */
export function report(error: unknown): number {
  if (!(error instanceof HarnessError)) return isOutOfFiles(error) ? reportLimit() : reportBug(error);
  if (error.code === "output" && isClosedPipe(error.cause)) return PIPE_CLOSED; // the reader has left
  if (error.option === "check") reportProblems(error);
  else say(sentenceOf(error));
  return errorExitCodes[error.code];
}

/** What stopped an evaluation before it began: one sentence per line. */
function reportProblems(error: HarnessError): void {
  for (const problem of error.message.split("\n")) say(withFlags(problem));
  say("nothing was started; --no-check starts anyway");
}

export function say(message: string): void {
  writeAside(`harness: ${oneLine(message)}\n`);
}

/** Loading a part of the program can fail too. */
function isOutOfFiles(error: unknown): boolean {
  return ["EMFILE", "ENFILE"].includes(codeOf(error));
}

function reportLimit(): number {
  say("Too many open files. Raise the limit with `ulimit -n 1024` and try again.");
  return errorExitCodes.start;
}

function reportBug(error: unknown): number {
  const message = errorWords(error);
  say(`internal error: ${message}; this is a bug, please report it`);
  const debug = process.env["HARNESS_DEBUG"] === "1";
  if (debug && error instanceof Error) writeAside(`${printable(error.stack ?? "")}\n`);
  return INTERNAL;
}

/** A path or name in a message may be long and may hold control characters. */
function oneLine(text: string): string {
  const short = text.length <= 600 ? text : `${text.slice(0, 300)} … ${text.slice(-200)}`;
  return printable(short).replaceAll("\n", "\\n").replaceAll("\t", " ");
}
