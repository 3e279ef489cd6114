#!/usr/bin/env node
// Prints $TEXT verbatim and ends with $EXIT: a code or a signal.
import { writeSync } from "node:fs";

const { TEXT = "", EXIT = "0" } = process.env;
if (TEXT !== "") writeSync(1, TEXT);
if (EXIT.startsWith("SIG")) process.kill(process.pid, EXIT);
process.exitCode = Number(EXIT);
