#!/usr/bin/env node
// Prints the given number of dots, one per given number of milliseconds, without a newline.
import { writeSync } from "node:fs";

const [count, everyMs] = process.argv.slice(2).map(Number);
for (let i = 0; i < count; i++) {
  writeSync(1, ".");
  await new Promise((resolve) => setTimeout(resolve, everyMs));
}
