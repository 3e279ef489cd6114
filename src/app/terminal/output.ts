import { fstatSync } from "node:fs";
import { hideSecrets } from "../../host/secrets/index.ts";
import { type SafeText, writeFully, writeStream } from "../../host/sink/index.ts";
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
 * Writes text to stdout, without secrets, and on a terminal without control characters that are not ours.
 */
export async function write(output: string): Promise<void> {
  const text = rendered(hideSecrets(output), inTerminal());
  try {
    if (toFile()) return writeFile(text);
    await writeStream(process.stdout, text);
  } catch (error) {
    throw new HarnessError("output", `Cannot write the output: ${reasonOf(error)}.`, { cause: error });
  }
}

/** Writes text to stderr, like `write`. */
export function writeAside(text: string): void {
  void writeStream(process.stderr, rendered(hideSecrets(text), process.stderr.isTTY === true)).catch(() => {});
}

/** Writes the whole text to stdout now, like `write`. */
export function writeNow(text: string): void {
  writeFile(rendered(hideSecrets(text), inTerminal()));
}

/** One JSON value per line. */
export async function writeJson(values: readonly unknown[]): Promise<void> {
  await write(jsonLines(values));
}

export function isClosedPipe(error: unknown): boolean {
  return ["EPIPE", "ECONNRESET"].includes(codeOf(error));
}

/** Node's stream treats a short write, on a disk that fills up, as complete. */
function writeFile(text: SafeText): void {
  const { error } = writeFully(STDOUT, text);
  if (error !== undefined) throw error;
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
