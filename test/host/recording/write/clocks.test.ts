import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { quietClock } from "../../../../src/host/recording/write/quiet-clock.ts";
import { runClocks } from "../../../../src/host/recording/write/run-clocks.ts";

describe.concurrent("clocks", () => {
  test("a silent agent without a result is not checked over and over", async () => {
    let looks = 0;
    const hasResult = () => {
      looks++;
      return false;
    };
    const clocks = runClocks({ agent: "generic", prompt: "", afterResultMs: 20 }, { stop() {}, idle() {}, beat() {}, hasResult });
    await pause(600);
    clocks.stop();
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThanOrEqual(7); // a timer of a millisecond would make it hundreds
  });

  test("output after a long silence restarts the time", async () => {
    const rung: number[] = [];
    const clock = quietClock(100, (quietMs) => {
      rung.push(quietMs);
      return 10 * quietMs; // not again for a second
    });
    await pause(250);
    expect(rung).toHaveLength(1);
    clock.heard();
    await pause(450);
    clock.stop();
    expect(rung).toHaveLength(2);
    expect(rung[1]).toBeLessThan(900);
  });

  test("a clock that has rung for the last time, or was stopped, does not ring again", async () => {
    let rings = 0;
    const ring = () => {
      rings++;
      return undefined;
    };
    const clock = quietClock(10, ring);
    const stopped = quietClock(10, ring);
    stopped.stop();
    stopped.heard();
    await pause(100);
    clock.heard();
    await pause(100);
    expect(rings).toBe(1);
  });

  test("zero means no limit", async () => {
    const rung: string[] = [];
    const bells = {
      stop: (reason: string) => void rung.push(reason),
      idle: () => void rung.push("idle"),
      beat() {},
      hasResult: () => false,
    };
    const clocks = runClocks({ agent: "generic", prompt: "", timeoutMs: 0, idleTimeoutMs: 0, idleWarningMs: 0 }, bells);
    await pause(100);
    clocks.stop();
    expect(rung).toEqual([]);
  });
});
