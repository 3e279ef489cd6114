// An agent that prints a file over and over, as fast as it can, until it has printed so many megabytes.
import { readFileSync, writeSync } from "node:fs";

const [file, megabytes] = process.argv.slice(2);
const text = readFileSync(file);
for (let printed = 0; printed < Number(megabytes) * 1e6; printed += text.length) {
  for (let done = 0; done < text.length; ) done += writeSync(1, text, done);
}
