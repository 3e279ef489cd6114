// An agent that prints, now and then, what time it is: the clock is the system's, so another process can tell how old a tick is.
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

for (let i = 0; i < Number(process.argv[2]); i++) {
  await sleep(10);
  writeSync(1, `tick:${process.hrtime.bigint()}\n`);
}
