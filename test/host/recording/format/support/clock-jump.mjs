import { existsSync } from "node:fs";

/**
 * A preload (`node --import`) that changes the system clock as this process sees it: by CLOCK_JUMP_MS, as soon as the file CLOCK_JUMP_WHEN
 * exists. Monotonic time and timers are not affected.
 */
const by = Number(process.env["CLOCK_JUMP_MS"]);
const when = process.env["CLOCK_JUMP_WHEN"];
const RealDate = Date;

function now() {
  return RealDate.now() + (existsSync(when) ? by : 0);
}

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }
  static now() {
    return now();
  }
};
