import { closeSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { errorWords, HarnessError } from "../../pure/base/index.ts";
import { write } from "./output.ts";

type Write = (text: string) => Promise<void>;

/**
 * Runs a command whose result goes to a file, or to standard output. A file that holds something is replaced when all is done, and not
 * before: it may be what is read, and a command that fails must not have cost it.
 */
export async function withOutput(path: string | undefined, force: boolean, body: (write: Write) => Promise<void>): Promise<void> {
  if (path === undefined) return body(write);
  const there = statSync(path, { throwIfNoEntry: false });
  const isFull = there?.isFile() === true && there.size > 0;
  if (isFull && !force) throw new HarnessError("usage", `${path} is not empty; --force overwrites it, or choose another -o.`);
  const target = isFull ? realpathSync(path) : path; // a link stays one
  const place = isFull ? `${target}.${process.pid}.new` : target;
  const fd = opened(place, path);
  let isDone = false;
  try {
    await body(async (text) => {
      const bytes = Buffer.from(text);
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    });
    isDone = true;
  } finally {
    closeSync(fd);
    // What is to replace a file, or began with nothing, and has come to nothing.
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
