import { closeSync, openSync, writeSync } from "node:fs";
import { errorWords, HarnessError } from "../../pure/base/index.ts";

/** A file for appending whole lines. */
export function ledgerFile(path: string): { append(line: string): void; close(): void } {
  const file = attempt(path, () => openSync(path, "a", 0o600));
  return {
    append(line) {
      const bytes = Buffer.from(`${line}\n`);
      attempt(path, () => {
        for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
      });
    },
    close: () => closeSync(file),
  };
}

function attempt<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw new HarnessError("output", `Cannot write the ledger ${path}: ${errorWords(error)}.`, {
      cause: error,
    });
  }
}
