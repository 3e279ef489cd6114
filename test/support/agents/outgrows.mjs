#!/usr/bin/env node
// Prints a text, then a line that takes a hundred times its size in memory, then waits.
import { writeSync } from "node:fs";

writeSync(1, "line 1\n");
const line = Buffer.from(`{"a":[${"[0.5],".repeat(900_000)}0]}\n`);
for (let done = 0; done < line.length; ) done += writeSync(1, line, done);
setTimeout(() => {}, 300_000);
