import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { BIN } from "../../../support/harness.ts";
import { cleanUp, command, expectNoOrphan, expectWhole, LONG_MS, place, quoted } from "../../../support/place.ts";

afterAll(cleanUp);

/** A line of shell that runs an agent; PIPESTATUS shows how `harness` itself ended. */
function pipeline(args: readonly string[], rest: string): readonly string[] {
  const command = [process.execPath, BIN, "run", "--prompt", "Go.", ...args].map(quoted).join(" ");
  return ["-c", `${command} ${rest}; echo "code \${PIPESTATUS[0]}"`];
}

describe.concurrent("case 68: the reader of our output leaves", () => {
  test("the run is canceled and sealed: exit code 141", async () => {
    const { spawn, recording } = place();
    const done = await spawn("bash", pipeline(command("ticks.mjs", "10000", "30"), "| head -n 1")).done;
    expect(done.stdout).toMatch(/^\{"type":"SessionStart".*\}\ncode 141\n$/);
    expect(done.stderr).toBe("");
    expect(done.ms).toBeLessThan(LONG_MS);
    expect(recording().sealed?.status).toBe("canceled");
    expectWhole(recording().stream);
    await expectNoOrphan(recording());
  });

  test("--keep-going lets it finish", async () => {
    const { spawn, recording } = place();
    const done = await spawn("bash", pipeline([...command("ticks.mjs", "40", "20"), "--keep-going"], "| head -n 1")).done;
    expect(done.stdout).toMatch(/code 141\n$/);
    expect(recording().sealed?.status).toBe("completed");
    expect(recording().raw.trim().split("\n")).toHaveLength(40);
    expectWhole(recording().stream);
    await expectNoOrphan(recording());
  });

  test.each([">&-", "2>&-", ">&- 2>&- <&-", "> /dev/null"])("no one reads: %s", async (redirection) => {
    const { spawn, recording } = place();
    const done = await spawn("bash", pipeline(command("ticks.mjs", "5", "1"), redirection)).done;
    expect(done.stdout).toContain("code ");
    expect(done.stderr).not.toContain("internal error");
    expect(recording().sealed).toMatchObject({ exitCode: 0 });
    expectWhole(recording().stream);
    await expectNoOrphan(recording());
  });
});

describe("a reader is slow", () => {
  test("case 69: it gets every byte, though far more arrived than is kept for it", { timeout: 2 * LONG_MS }, async () => {
    const { start, recording } = place();
    const { child, done } = start(["run", "--prompt", "Go.", ...command("floods.mjs", "1", "16", "1000")]);
    child.stdout?.pause();
    await pause(1500); // by then everything has been recorded, or is being recorded
    child.stdout?.resume();
    const { code, stdout } = await done;
    expect(code).toBe(0);
    const { id, raw, stream } = recording();
    expect(raw.length).toBeGreaterThan(16_000_000);
    expectWhole(stream);
    expect(stdout === readFileSync(join(recording().directory, "../../sessions", `${id}.ndjson`), "utf8")).toBe(true);
  });
});
