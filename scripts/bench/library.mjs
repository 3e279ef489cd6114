// The library over a file, as a user would write it. Usage: node library.mjs <url of the library> <file> [passes] [agent]
import { writeSync } from "node:fs";
import { peakOf } from "./peak-of.mjs";

const [, , library, file, passes = "1", agent = "claude"] = process.argv;
const { derive } = await import(library);

let best = Infinity;
let records = 0;
for (let pass = 0; pass < Number(passes); pass++) {
  const started = performance.now();
  records = 0;
  for await (const record of derive(file, { agent, view: "activity" })) if (record.type !== "") records++;
  best = Math.min(best, performance.now() - started);
}

if (records === 0) throw new Error("not one record was derived");
writeSync(3, JSON.stringify({ ms: best, records, peak: peakOf() }));
