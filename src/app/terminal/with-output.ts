import { closeSync, openSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { hideSecrets } from "../../host/secrets/index.ts";
import { writeFully } from "../../host/sink/index.ts";
import { errorWords, HarnessError } from "../../pure/base/index.ts";
import { write } from "./output.ts";
import { rendered } from "./sequences.ts";

type Write = (text: string) => Promise<void>;

/**
 * Runs a command that writes to a file or to standard output. An existing file is replaced only at the end: the command may read it,
 * and a failing command must not destroy it.
 */
export async function withOutput(path: string | undefined, force: boolean, body: (write: Write) => Promise<void>): Promise<void> {
  if (path === undefined) return body(write);
  const there = statSync(path, { throwIfNoEntry: false });
  const isFull = there?.isFile() === true && there.size > 0;
  if (isFull && !force)
    throw new HarnessError("usage", `${path} is not empty. Overwrite it with --force, or choose a different file with -o.`);
  const target = isFull ? realpathSync(path) : path; // a link stays a link
  const place = isFull ? `${target}.${process.pid}.new` : target;
  const fd = opened(place, path);
  let isDone = false;
  try {
    await body(async (text) => {
      const { error } = writeFully(fd, rendered(hideSecrets(text), false));
      if (error !== undefined) throw error;
    });
    isDone = true;
  } finally {
    closeSync(fd);
    // Remove an unfinished replacement, and an empty new file.
    if (!isDone && (isFull || (there === undefined && statSync(place).size === 0))) rmSync(place);
  }
  if (isFull) renameSync(place, target);
}

function opened(place: string, path: string): number {
  try {
    return openSync(place, "w");
  } catch (error) {
    throw new HarnessError("output", `Cannot write ${path}: ${errorWords(error)}.`, { cause: error });
  }
}
