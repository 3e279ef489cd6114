import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BIN, bash, claudeSays, cleanUp, directory, file, harness, RAW } from "../../support/harness.ts";

afterAll(cleanUp);

let big: string;

beforeAll(() => {
  const text = "All work and no play makes a long line. ".repeat(700);
  big = file(claudeSays(...Array.from({ length: 1000 }, (_, i) => `${i} ${text}`)));
});

describe("standard output", () => {
  test("a slow reader gets all of 50 MB", async () => {
    const whole = join(directory(), "whole.jsonl");
    expect((await bash(`harness derive ${big} --agent claude --view stream > ${whole}`)).code).toBe(0);
    expect(statSync(whole).size).toBeGreaterThan(50e6);

    const child = spawn(process.execPath, [BIN, "derive", big, "--agent", "claude", "--view", "stream"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => child.on("close", resolve));
    await sleep(500);
    const hash = createHash("sha256");
    let pieces = 0;
    for await (const piece of child.stdout) {
      hash.update(piece);
      if (++pieces % 100 === 0) await sleep(5);
    }
    expect(await ended).toBe(0);
    expect(hash.digest("hex")).toBe(createHash("sha256").update(readFileSync(whole)).digest("hex"));
  });

  test("a reader that leaves early: exit code 141, and no message", async () => {
    const { code, stdout, stderr } = await bash(
      `set -o pipefail; harness derive ${big} --agent claude | head -n 1 | wc -l; exit \${PIPESTATUS[0]}`,
    );
    expect({ code, lines: stdout.trim(), stderr }).toEqual({ code: 141, lines: "1", stderr: "" });
  });

  test
    .runIf(existsSync("/dev/full"))
    .each([
      `derive ${RAW} --agent claude`,
      `derive ${RAW} --agent claude --view result`,
      "agents",
      "schemas",
      "schemas activity",
      "completion bash",
      "help derive",
      "--help",
      "--version",
    ])("a full disk is reported: %s", async (line) => {
    const { code, stderr } = await bash(`harness ${line} > /dev/full`);
    expect({ code, stderr }).toEqual({ code: 74, stderr: "harness: Cannot write the output: no space is left on the device.\n" });
  });

  test("a disk that fills up in the middle of the last write is reported", async () => {
    const raw = file(claudeSays("x".repeat(100_000)));
    const out = join(directory(), "out");
    const { code, stderr } = await bash(`ulimit -f 64; harness derive ${raw} --agent claude > ${out}`);
    expect(statSync(out).size).toBe(64 * 1024);
    expect({ code, stderr }).toEqual({ code: 74, stderr: "harness: Cannot write the output: the file would become too large.\n" });
  });

  test("closed streams do not crash it", async () => {
    expect((await bash("harness agents >&-")).code).toBe(0);
    expect((await bash("harness derive nope --agent claude 2>&-")).code).toBe(2);
  });
});

describe("an internal error", () => {
  const sabotage = {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent('JSON.stringify = () => { throw new Error("boom") }')}`,
  };

  test("is one sentence and exit code 70", async () => {
    const { code, stdout, stderr } = await harness(["derive", RAW, "--agent", "claude"], { env: sabotage });
    expect({ code, stdout, stderr }).toEqual({
      code: 70,
      stdout: "",
      stderr: "harness: internal error: boom; this is a bug, please report it\n",
    });
  });

  test("shows its stack with HARNESS_DEBUG=1", async () => {
    const { stderr } = await harness(["derive", RAW, "--agent", "claude"], { env: { ...sabotage, HARNESS_DEBUG: "1" } });
    expect(stderr).toMatch(/^harness: internal error: boom; this is a bug, please report it\nError: boom\n {4}at /);
  });
});
