#!/usr/bin/env node
// Prints so many mebibytes, about, of lines of this many bytes on this descriptor; then makes a file of that name, if there is one.
import { writeFileSync, writeSync } from "node:fs";

const [fd, mebibytes, length] = process.argv.slice(2).map(Number);
const lines = Buffer.from(`${"x".repeat(length - 1)}\n`.repeat(Math.ceil(2 ** 20 / length)));
for (let i = 0; i < mebibytes; i++) for (let done = 0; done < lines.length; ) done += writeSync(fd, lines, done);
if (process.argv[5] !== undefined) writeFileSync(process.argv[5], "");
