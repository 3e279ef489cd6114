#!/usr/bin/env node
// Prints $TEXT verbatim and keeps running.
import { writeSync } from "node:fs";

writeSync(1, process.env["TEXT"] ?? "");
setTimeout(() => {}, 300_000);
