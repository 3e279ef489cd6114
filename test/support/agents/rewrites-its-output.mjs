#!/usr/bin/env node
// Prints, waits until the text was read, reopens its stdout like `> /dev/stdout`, and immediately prints more than before.
import { openSync, readFileSync, writeSync } from "node:fs";

const records = process.argv[2];
writeSync(1, "before one\nbefore two\nbefore three\n");
while (!readFileSync(`${records}/${process.env["HARNESS_RUN_COOKIE"].split(".")[0]}/records.jsonl`, "utf8").includes('"length":12'));
const recorder = JSON.parse(readFileSync(`${records}/${process.env["HARNESS_RUN_COOKIE"].split(".")[0]}/run.json`, "utf8")).recorder.pid;
process.kill(recorder, "SIGSTOP"); // it must not look in between
writeSync(openSync("/dev/stdout", "w"), "after, a line that is longer than all of what was there before\n");
writeSync(1, "the end\n");
process.kill(recorder, "SIGCONT");
