import { readdirSync } from "node:fs";
import { HarnessError } from "../../pure/base/index.ts";
import { makeDirectories, reasonOf } from "../files/index.ts";

/** Creates the directory with mode 0700, or checks that it is empty: nothing is ever overwritten. */
export function emptyDirectory(path: string): void {
  let names: string[];
  try {
    makeDirectories(path, 0o700);
    names = readdirSync(path);
  } catch (error) {
    throw new HarnessError("output", `Cannot write into the directory ${path}: ${reasonOf(error)}.`, { cause: error });
  }
  if (names.length > 0) throw new HarnessError("output", `The directory ${path} is not empty. Choose an empty or a new one.`);
}
