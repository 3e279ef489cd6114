// Derives a file with the library, as a user would. Usage: node library.mjs <url of the library> <file> [passes] [agent]
import { writeSync } from "node:fs";
import { bestOf } from "./best-of.mjs";
import { peakOf } from "./peak-of.mjs";

const [, , library, file, passes = "1", agent = "claude"] = process.argv;
const { derive } = await import(library);

let records = 0;
const best = await bestOf(Number(passes), async () => {
  records = 0;
  for await (const record of derive(file, { agent, view: "activity" })) if (record.type !== "") records++;
});

if (records === 0) throw new Error("no record was derived");
writeSync(3, JSON.stringify({ ...best, records, peak: peakOf() }));
