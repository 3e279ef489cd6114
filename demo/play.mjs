// Plays a recorded agent: prints what it printed, at the pace at which it did. Usage: node play.mjs <folder> [speed]
import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const [folder, speed = "1"] = process.argv.slice(2);
const { lineTimesMs, exitCode } = JSON.parse(readFileSync(join(folder, "meta.json"), "utf8"));
const lines = readFileSync(join(folder, "raw.jsonl"), "utf8").split("\n").slice(0, -1);
const began = performance.now();
for (const [i, line] of lines.entries()) {
  const wait = (lineTimesMs[i] ?? 0) / Number(speed) - (performance.now() - began);
  if (wait > 1) await sleep(wait);
  writeSync(1, `${line}\n`);
}
process.exitCode = exitCode ?? 0;
