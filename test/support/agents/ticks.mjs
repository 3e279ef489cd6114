#!/usr/bin/env node
// Prints the given number of numbered lines, one per given number of milliseconds.
import { writeSync } from "node:fs";

const [count, everyMs] = process.argv.slice(2).map(Number);
for (let n = 1; n <= count; n++) {
  writeSync(1, `line ${n}\n`);
  await new Promise((resolve) => setTimeout(resolve, everyMs));
}
