#!/usr/bin/env node
// Prints the given number of lines of different lengths, alternating between stdout and stderr.
import { writeSync } from "node:fs";

const count = Number(process.argv[2]);
for (let n = 1; n <= count; n++) writeSync(n % 3 === 0 ? 2 : 1, `line ${n} ${"x".repeat((n * 37) % 400)}\n`);
