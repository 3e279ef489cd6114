#!/usr/bin/env node
// Prints, waits until the text was read, and reopens its stdout like `> /dev/stdout`.
import { openSync, readFileSync, writeSync } from "node:fs";

const records = process.argv[2];
writeSync(1, "before one\nbefore two\nbefore three\n");
while (!readFileSync(`${records}/${process.env["HARNESS_RUN_COOKIE"].split(".")[0]}/records.jsonl`, "utf8").includes('"length":12'));
writeSync(openSync("/dev/stdout", "w"), "after\n");
writeSync(1, "the end\n");
