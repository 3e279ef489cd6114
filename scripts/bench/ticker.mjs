// An agent that prints the system time at intervals, so that a different process can compute the age of each tick.
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

for (let i = 0; i < Number(process.argv[2]); i++) {
  await sleep(10);
  writeSync(1, `tick:${process.hrtime.bigint()}\n`);
}
