import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { agent, carrying, cleanUp, eventually, isAlive, LONG_MS, place, processesOf } from "../../../support/place.ts";

afterAll(cleanUp);

/** Every order of killing some of the three: the recorder, the watcher that ends the agent if the recorder dies, and the agent. */
const ORDERS = [1, 2, 3].flatMap((length) => orders(["recorder", "watcher", "agent"], length));

function orders(names: readonly string[], length: number): readonly (readonly string[])[] {
  if (length === 0) return [[]];
  return names.flatMap((first) =>
    orders(
      names.filter((name) => name !== first),
      length - 1,
    ).map((rest) => [first, ...rest]),
  );
}

describe.runIf(existsSync("/proc/self/environ"))("S11: killed in the order", () => {
  test.each(ORDERS.map((order) => ({ order, name: order.join(", ") })))("$name", { timeout: 4 * LONG_MS }, async ({ order }) => {
    const { root, start, harness, recording } = place();
    const counter = join(root, "..", "counter");
    const { pid, done } = start(["run", "--prompt", "Count.", "--agent", "generic", "--command", `${agent("counts")} ${counter}`]);
    await eventually(() => expect(existsSync(counter) && readFileSync(counter, "utf8")).toContain("\n"), LONG_MS);
    const { manifest } = recording();
    const mark = `HARNESS_RUN_COOKIE=${manifest.cookie}`;
    const pids: Record<string, readonly number[]> = { recorder: [pid], watcher: carrying(mark, "cmdline"), agent: carrying(mark) };
    expect(pids["watcher"]).toHaveLength(1);
    for (const name of order) {
      for (const each of pids[name] ?? []) kill(each);
      await eventually(() => expect((pids[name] ?? []).filter(isAlive)).toEqual([]), LONG_MS);
    }
    // The agent's end ends the run; its recorder seals it.
    if (order.includes("recorder") || order.includes("agent")) await done;
    if (order.includes("recorder") && order.includes("watcher") && !order.includes("agent")) {
      // If the watcher was killed first, only the walls end the agent; without them, the next command does.
      await pause(200);
      if (manifest.isolation?.level !== "none") await eventually(() => expect(processesOf(manifest)).toEqual([]), LONG_MS);
      else if (order[0] === "watcher") expect(carrying(mark).length).toBeGreaterThan(0);
    } else if (order.includes("recorder") || order.includes("agent")) {
      await eventually(() => expect(processesOf(manifest)).toEqual([]), LONG_MS);
    } else {
      // Only the watcher: the run continues, and the recorder can still end it.
      expect(carrying(mark).length).toBeGreaterThan(0);
      process.kill(pid, "SIGTERM");
      expect((await done).code).toBe(143);
    }

    expect((await harness(["runs", "--json"])).code).toBe(0);
    await eventually(() => expect(processesOf(manifest)).toEqual([]), LONG_MS);
    const { sealed, raw, stderr } = recording();
    expect(sealed).toMatchObject(order.includes("recorder") ? { status: "crashed" } : {});
    expect((await harness(["verify", "last"])).code).toBe(0);
    const numbers = `${raw}${stderr}`.match(/(?<=^line )\d+/gm)?.map(Number) ?? [];
    const counted = readFileSync(counter, "utf8").split("\n").length - 1;
    expect(numbers.toSorted((a, b) => a - b).slice(0, counted)).toEqual(Array.from({ length: counted }, (_, i) => i + 1));
  });
});

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
