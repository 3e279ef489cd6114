#!/usr/bin/env node
// Prints about the given number of mebibytes, in lines of the given length, on the given descriptor; then creates the given file, if any.
import { writeFileSync, writeSync } from "node:fs";

const [fd, mebibytes, length] = process.argv.slice(2).map(Number);
const lines = Buffer.from(`${"x".repeat(length - 1)}\n`.repeat(Math.ceil(2 ** 20 / length)));
for (let i = 0; i < mebibytes; i++) for (let done = 0; done < lines.length; ) done += writeSync(fd, lines, done);
if (process.argv[5] !== undefined) writeFileSync(process.argv[5], "");
