import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../../pure/base/index.ts";

/**
 * A directory and those above it that are missing. Not by Node's own `recursive`, which turns for ever where a directory is there and
 * nothing can be made in it because there is no such thing: `/proc/x`.
 */
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
    if (codeOf(error) !== "EEXIST") throw error; // it may be somebody else who makes the same
  }
}
