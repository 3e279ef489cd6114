import { closeSync, openSync } from "node:fs";
import { scripted, writeFully } from "../../host/sink/index.ts";
import { errorWords, HarnessError } from "../../pure/base/index.ts";

/** A file for appending whole lines. */
export function ledgerFile(path: string): { append(line: string): void; close(): void } {
  const file = attempt(path, () => openSync(path, "a", 0o600));
  return {
    append(line) {
      attempt(path, () => {
        const { error } = writeFully(file, scripted(`${line}\n`));
        if (error !== undefined) throw error;
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
