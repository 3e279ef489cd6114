import { closeSync, openSync } from "node:fs";
import type { SafeBytes, SafeText } from "./safe.ts";
import { writeFully } from "./write-fully.ts";

export interface WriteFileOptions {
  /** Default: `w`. */
  readonly flag?: "w" | "wx" | "a";
  /** Of a new file, less the umask. */
  readonly mode?: number;
}

/** Writes a file like `writeFileSync`. An open one stays open. */
export function writeFile(file: string | number, contents: SafeText | SafeBytes, { flag = "w", mode }: WriteFileOptions = {}): void {
  const fd = typeof file === "number" ? file : openSync(file, flag, mode);
  try {
    const { error } = writeFully(fd, contents);
    if (error !== undefined) throw error;
  } finally {
    if (fd !== file) closeSync(fd);
  }
}
