import { fstatSync, writeSync } from "node:fs";
import { hideSecrets } from "../../host/secrets/index.ts";
import { codeOf, errorWords, HarnessError, jsonLines } from "../../pure/base/index.ts";
import { rendered } from "./sequences.ts";

const STDOUT = 1;

export function inTerminal(): boolean {
  return process.stdout.isTTY === true;
}

/** Whether stdout is a file or a device: neither a terminal nor a pipe. */
export function toFile(): boolean {
  return !inTerminal() && !isPipe();
}

/**
 * Writes text to stdout, without secrets, and on a terminal without control characters that are not ours. Resolves when it is written, so that a slow reader slows the program down instead of filling
 * memory.
 */
export async function write(output: string): Promise<void> {
  const text = rendered(hideSecrets(output), inTerminal());
  try {
    if (toFile()) return writeFile(text);
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    throw new HarnessError("output", `Cannot write the output: ${reasonOf(error)}.`, { cause: error });
  }
}

/** Writes text to stderr, like `write`. */
export function writeAside(text: string): void {
  process.stderr.write(rendered(hideSecrets(text), process.stderr.isTTY === true));
}

/** Writes the whole text to stdout now, like `write`. */
export function writeNow(text: string): void {
  writeSync(STDOUT, rendered(hideSecrets(text), inTerminal()));
}

/** One JSON value per line. */
export async function writeJson(values: readonly unknown[]): Promise<void> {
  await write(jsonLines(values));
}

export function isClosedPipe(error: unknown): boolean {
  return ["EPIPE", "ECONNRESET"].includes(codeOf(error));
}

/** Node's stream treats a short write, on a disk that fills up, as complete. */
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
