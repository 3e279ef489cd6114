import { readdirSync } from "node:fs";
import { HarnessError } from "../../pure/base/index.ts";
import { makeDirectories, reasonOf } from "../files/index.ts";

/** Makes the directory, as ours alone, or finds it empty: we write over nothing. */
export function emptyDirectory(path: string): void {
  let names: string[];
  try {
    makeDirectories(path, 0o700);
    names = readdirSync(path);
  } catch (error) {
    throw new HarnessError("output", `Cannot write into the directory ${path}: ${reasonOf(error)}.`, { cause: error });
  }
  if (names.length > 0) throw new HarnessError("output", `The directory ${path} is not empty: name one that is, or that does not exist.`);
}
