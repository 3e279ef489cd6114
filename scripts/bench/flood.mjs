// An agent that prints a file repeatedly, as fast as it can, up to a number of megabytes.
import { readFileSync, writeSync } from "node:fs";

const [file, megabytes] = process.argv.slice(2);
const text = readFileSync(file);
for (let printed = 0; printed < Number(megabytes) * 1e6; printed += text.length) {
  for (let done = 0; done < text.length; ) done += writeSync(1, text, done);
}
