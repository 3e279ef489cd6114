import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HarnessError } from "../../pure/base/index.ts";

export function readPageFile(folder: string, name: string): Buffer {
  try {
    return readFileSync(join(folder, name));
  } catch {
    throw new HarnessError("input", `${join(folder, name)} is missing from this installation. Install harness again.`);
  }
}
