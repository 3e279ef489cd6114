import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bytesOf } from "./parser.ts";

let folder: string | undefined;

/** A place for the files of readers that open one. */
export function scratch(name: string): string {
  folder ??= mkdtempSync(join(tmpdir(), "harness-fuzz-"));
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
