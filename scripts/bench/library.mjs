// The library over a file, as a user would write it. Usage: node library.mjs <url of the library> <file>
import { writeSync } from "node:fs";

const [, , library, file] = process.argv;
const { derive } = await import(library);

const started = performance.now();
let records = 0;
for await (const record of derive(file, { agent: "claude", view: "activity" })) if (record.type !== "") records++;
const ms = performance.now() - started;

if (records === 0) throw new Error("not one record was derived");
writeSync(3, JSON.stringify({ ms, records, peak: process.resourceUsage().maxRSS * 1024 }));
