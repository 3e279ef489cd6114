import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeDirectories } from "../../../src/host/files/make-directories.ts";
import { emptyDirectory } from "../../../src/host/workspace/empty-directory.ts";
import { cleanUp, directory, harness } from "../../support/harness.ts";

const base = mkdtempSync(join(tmpdir(), "harness-directories-"));
afterAll(() => rmSync(base, { recursive: true }));
afterAll(cleanUp);

test("creates what is missing, with these permissions; what exists stays", () => {
  makeDirectories(join(base, "a/b/c"), 0o700);
  makeDirectories(join(base, "a/b/c"), 0o755);
  expect(statSync(join(base, "a/b/c")).mode & 0o777).toBe(0o700);
});

// Node's own recursive mkdir does not return from any of these.
test.runIf(existsSync("/proc/self"))("below /proc it fails with one sentence", { timeout: 60_000 }, async () => {
  expect(() => makeDirectories("/proc/nothing/here", 0o700)).toThrow("ENOENT");
  expect(() => emptyDirectory("/proc/nothing/here")).toThrow(/Cannot write into the directory/);
  const calls: readonly (readonly [readonly string[], Record<string, string>])[] = [
    [["config", "init", "--user"], { XDG_CONFIG_HOME: "/proc/nothing" }],
    [["adapter:scaffold", "mine", "-o", "/proc/nothing/here"], {}],
    [["observe", "--agent", "generic", "--command", "true", "--prompt", "x", "--out", "/proc/nothing/here"], {}],
    [["run", "--agent", "generic", "--command", "true", "--prompt", "x"], { XDG_DATA_HOME: "/proc/nothing" }],
  ];
  for (const [args, env] of calls) {
    const { code, stderr } = await harness(args, { env: { XDG_DATA_HOME: join(directory(), "data"), ...env } });
    expect({ code, lines: stderr.trim().split("\n").length }, stderr).toEqual({ code: 74, lines: 1 });
    expect(stderr).toContain("/proc/nothing");
  }
});
