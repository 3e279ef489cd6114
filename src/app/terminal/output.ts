import { fstatSync, writeSync } from "node:fs";
import { codeOf, errorWords, HarnessError, jsonLines, printableJson } from "../../pure/base/index.ts";

const STDOUT = 1;

/** Whether a person is looking. */
export function inTerminal(): boolean {
  return process.stdout.isTTY === true;
}

/** Whether stdout is a file, a pipe or something else to wait for. */
export function toFile(): boolean {
  return !inTerminal() && !isPipe();
}

/** Writes all of it to stdout and resolves when it is gone, so that a slow reader slows us down and costs no memory. */
export async function write(text: string): Promise<void> {
  try {
    if (toFile()) return writeFile(text);
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    throw new HarnessError("output", `Cannot write the output: ${reasonOf(error)}.`, { cause: error });
  }
}

/** One JSON value per line, for programs; in a terminal safe to look at. */
export async function writeJson(values: readonly unknown[]): Promise<void> {
  const json = jsonLines(values);
  await write(inTerminal() ? printableJson(json) : json);
}

export function isClosedPipe(error: unknown): boolean {
  return ["EPIPE", "ECONNRESET"].includes(codeOf(error));
}

/** By hand, because Node's stream takes a short write (a disk that fills up) for a complete one. */
function writeFile(text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(STDOUT, bytes, done);
}

let pipe: boolean | undefined;

function isPipe(): boolean {
  if (pipe === undefined) {
    const stat = fstatSync(STDOUT);
    pipe = stat.isFIFO() || stat.isSocket();
  }
  return pipe;
}

function reasonOf(error: unknown): string {
  return reasons[codeOf(error)] ?? errorWords(error);
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "no space is left on the device",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would become too large",
  EIO: "the device reports an error",
  EROFS: "the file system is read-only",
  EBADF: "standard output is not open for writing",
};
