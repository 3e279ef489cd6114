#!/usr/bin/env node
// Says something, then a line that is a hundred times as big in memory as it is, then waits.
import { writeSync } from "node:fs";

writeSync(1, "line 1\n");
const line = Buffer.from(`{"a":[${"[0.5],".repeat(900_000)}0]}\n`);
for (let done = 0; done < line.length; ) done += writeSync(1, line, done);
setTimeout(() => {}, 300_000);
