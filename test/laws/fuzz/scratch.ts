import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bytesOf } from "./parser.ts";

/** Files in memory, if the system has a place for them: a million of them on a disk take minutes. */
const MEMORY = "/dev/shm";
const PLACE = existsSync(MEMORY) ? MEMORY : tmpdir();

let folder: string | undefined;

/** A place for the files of readers that open one. */
export function scratch(name: string): string {
  folder ??= mkdtempSync(join(PLACE, "harness-fuzz-"));
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

/** The file `name` with these bytes, one per character. */
export function fileWith(name: string): (input: string) => string {
  let path: string | undefined;
  return (input) => {
    path ??= scratch(name);
    writeFileSync(path, bytesOf(input), { mode: 0o600 });
    return path;
  };
}

export function removeScratch(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}
