import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { watchCommands } from "../../src/observe/commands/watch-commands.ts";
import { installed } from "../../src/runner/find-binary.ts";

const folder = mkdtempSync(join(tmpdir(), "harness-trace-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = process.env["PATH"] ?? "";

async function watched(name: string, script: string, withPath = path) {
  const directory = join(folder, name);
  mkdirSync(directory);
  const log = join(directory, "command_logs.jsonl");
  const watch = await watchCommands({ wrap: ["cat"], trace: true, path: withPath, directory, log });
  const [program, ...args] = [...watch.prefix, "/bin/sh", "-c", script];
  const { status } = spawnSync(program, args, { env: { ...watch.env, HOME: folder }, stdio: "ignore", timeout: 60_000 });
  return { status, ...(await watch.collect()), prefix: watch.prefix, log };
}

const hasTrace = installed(["strace"], path) !== undefined;

test.skipIf(!hasTrace)("a trace sees what wrappers do not, and tells nothing twice", { timeout: 60_000 }, async () => {
  const { status, commands, summary } = await watched("seen", "cat /dev/null; /bin/uname -s; env -i /bin/sh -c 'exit 3'; exit 5");
  expect(status).toBe(5);
  expect(summary).toMatchObject({ available: true, sources: ["wrapper", "trace"] });
  const seen = commands.map(({ source, argv, exitCode }) => [source, argv[0]?.replace(/.*\//, ""), exitCode]);
  expect(seen).toEqual(
    expect.arrayContaining([
      ["wrapper", "cat", 0],
      ["trace", "uname", 0],
      ["trace", "sh", 3],
    ]),
  );
  expect(seen.filter(([, name]) => name === "cat")).toHaveLength(1);
});

test("one that may not trace is not used: the agent would not start", { timeout: 60_000 }, async () => {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "strace"), "#!/bin/sh\necho 'strace: PTRACE_TRACEME: Operation not permitted' >&2; exit 1\n", { mode: 0o755 });
  const { status, summary, prefix, log } = await watched("refused", "cat /dev/null; exit 5", `${bin}:${path}`);
  expect({ status, prefix }).toEqual({ status: 5, prefix: [] });
  expect(summary).toMatchObject({ sources: ["wrapper"], problem: expect.stringContaining("may not trace") });
  expect(readFileSync(log, "utf8")).toContain('"argv":["cat","/dev/null"]');
});
