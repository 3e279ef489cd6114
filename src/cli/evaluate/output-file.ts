import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { errorWords, HarnessError } from "../../core/errors.ts";
import { write } from "../output.ts";

/** Where a command's result goes: a new file, or standard output. */
export interface OutputFile {
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

export function outputFile(path: string | undefined, force: boolean): OutputFile {
  if (path === undefined) return { write, close: async () => {} };
  if (!force && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new HarnessError("usage", `${path} is not empty; --force overwrites it, or choose another -o.`);
  const fd = opened(path);
  return {
    async write(text) {
      const bytes = Buffer.from(text);
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    },
    close: async () => closeSync(fd),
  };
}

function opened(path: string): number {
  try {
    return openSync(path, "w");
  } catch (error) {
    throw new HarnessError("output", `Cannot write ${path}: ${errorWords(error)}.`, { cause: error });
  }
}
