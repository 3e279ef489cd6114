#!/usr/bin/env node
// Prints $TEXT as it stands, and stays.
import { writeSync } from "node:fs";

writeSync(1, process.env["TEXT"] ?? "");
setTimeout(() => {}, 300_000);
