import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../../pure/base/index.ts";

/** Makes a directory and its missing parents. Node's `recursive` loops forever where nothing can be created, as in `/proc/x`. */
export function makeDirectories(path: string, mode: number): void {
  try {
    makeOne(path, mode);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    makeDirectories(dirname(path), mode);
    makeOne(path, mode);
  }
}

function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error; // another process may be making the same directory
  }
}
