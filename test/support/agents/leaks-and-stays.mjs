#!/usr/bin/env node
// Prints a secret again and again.
import { writeSync } from "node:fs";

const key = process.env["CANARY_API_KEY"];
writeSync(1, `plain ${key}\njson ${JSON.stringify({ key })}\n`);
writeSync(2, `base64 ${Buffer.from(key).toString("base64")}\n`);
setInterval(() => writeSync(1, `more ${key}\n`), 1);
