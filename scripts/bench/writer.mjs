import { closeSync, openSync, writeSync } from "node:fs";

const BATCH = 1_000_000;

/** Writes a file in large pieces. */
export function writer(file) {
  const handle = openSync(file, "w");
  let pending = [];
  let waiting = 0;
  let written = 0;
  const flush = () => {
    if (waiting > 0) writeSync(handle, Buffer.concat(pending));
    pending = [];
    waiting = 0;
  };
  return {
    write(text) {
      const bytes = Buffer.from(text);
      pending.push(bytes);
      waiting += bytes.length;
      written += bytes.length;
      if (waiting >= BATCH) flush();
    },
    bytes: () => written,
    close() {
      flush();
      closeSync(handle);
    },
  };
}
