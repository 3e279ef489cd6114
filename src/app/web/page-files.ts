import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HarnessError } from "../../pure/base/index.ts";

/** One of the files that the page itself is made of. */
export function readPageFile(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, name));
  } catch {
    throw new HarnessError("input", `${join(folder, name)} is missing: a part of this installation; install harness again.`);
  }
}
