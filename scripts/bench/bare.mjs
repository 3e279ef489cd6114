// The lower bound: read, split at newlines, decode, JSON.parse. `blocking` reads with readSync, which a library should not do;
// `streaming` is the same loop over createReadStream.
// Usage: node bare.mjs <file> <blocking | streaming> [passes]
import { closeSync, createReadStream, openSync, readSync, writeSync } from "node:fs";
import { bestOf } from "./best-of.mjs";

const CHUNK = 256 * 1024;
const [, , path, how, passes = "1"] = process.argv;

let lines = 0;
const best = await bestOf(Number(passes), async () => {
  lines = how === "streaming" ? await streaming(path) : blocking(path);
});
writeSync(3, JSON.stringify({ ...best, lines }));

async function streaming(path) {
  let rest; // an unfinished line
  let lines = 0;
  for await (const piece of createReadStream(path)) {
    const chunk = rest === undefined ? piece : Buffer.concat([rest, piece]);
    let start = 0;
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, start)) {
      if (JSON.parse(chunk.toString("utf8", start, at)) !== null) lines++;
      start = at + 1;
    }
    rest = start < chunk.length ? chunk.subarray(start) : undefined;
  }
  return lines;
}

function blocking(path) {
  const file = openSync(path);
  let buffer = Buffer.allocUnsafeSlow(512 * 1024);
  let held = 0; // bytes of an unfinished line, at the start of the buffer
  let lines = 0;
  for (;;) {
    if (held + CHUNK > buffer.length) buffer = Buffer.concat([buffer.subarray(0, held)], 2 * (held + CHUNK));
    const read = readSync(file, buffer, held, CHUNK, null);
    if (read === 0) break;
    const end = held + read;
    const chunk = buffer.subarray(0, end);
    let start = 0;
    for (let at = chunk.indexOf(0x0a, held); at >= 0; at = chunk.indexOf(0x0a, start)) {
      if (JSON.parse(chunk.toString("utf8", start, at)) !== null) lines++;
      start = at + 1;
    }
    buffer.copyWithin(0, start, end);
    held = end - start;
  }
  closeSync(file);
  return lines;
}
