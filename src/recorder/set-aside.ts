import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { basename } from "node:path";

/** Copies what a file holds from this byte on to `<name>.torn-<byte>`, so that nothing is deleted to be repaired. Answers with its name. */
export function setAside(path: string, from: number): string {
  const aside = `${path}.torn-${from}`;
  const source = openSync(path, "r");
  const target = openSync(aside, "w", 0o600);
  try {
    const buffer = Buffer.allocUnsafe(64 * 1024);
    const { size } = fstatSync(source);
    for (let at = from; at < size; ) {
      const count = readSync(source, buffer, 0, buffer.length, at);
      for (let done = 0; done < count; ) done += writeSync(target, buffer, done, count - done);
      at += count;
    }
    return basename(aside);
  } finally {
    closeSync(source);
    closeSync(target);
  }
}
