import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { failedStart } from "../../../../src/host/process/failed-start.ts";
import { type RunCall, run } from "../../../../src/host/recording/write/run.ts";
import { HarnessError } from "../../../../src/pure/base/errors.ts";
import { BIN } from "../../../support/harness.ts";
import {
  agent,
  cleanUp,
  command,
  expectNoOrphan,
  expectWhole,
  inParallel,
  LONG_MS,
  place,
  quoted,
  sha256,
} from "../../../support/place.ts";

afterAll(cleanUp);

const ONE_SENTENCE = /^harness: [^\n]+\n$/;

/** A directory with files that cannot be started, or used as a working directory. */
function obstacles() {
  const { root, run, recordings } = place();
  const base = dirname(root);
  const path = (name: string) => join(base, name);
  writeFileSync(path("file"), "");
  symlinkSync("loop", path("loop"));
  mkdirSync(path("directory"));
  return { path, run, recordings };
}

describe.concurrent("case 13: a failed start names the actual cause, and leaves nothing behind", () => {
  test.each([
    ["a missing program", (path: (name: string) => string) => ["--agent", "claude", "--binary", path("none")], /none.*no such file/],
    ["a name that is not on PATH", () => ["--agent", "claude", "--binary", "no-such-program-here"], /no-such-program-here/],
    ["a file that is not executable", (path) => ["--agent", "claude", "--binary", path("file")], /not executable/],
    ["a directory", (path) => ["--agent", "claude", "--binary", path("directory")], /directory/],
    [
      "a missing working directory",
      (path) => [...command("exits-at-once"), "--cwd", path("none")],
      /Working directory not found: .*none\. Pass an existing directory with --cwd\./,
    ],
    ["a working directory that is a file", (path) => [...command("exits-at-once"), "--cwd", path("file")], /file is not a directory/],
    ["a secret variable that is not set", () => [...command("exits-at-once"), "--secret", "NO_SUCH_VARIABLE"], /NO_SUCH_VARIABLE/],
  ])("%s", async (_, args, sentence) => {
    const { path, run, recordings } = obstacles();
    const done = await run(args(path));
    expect(done.code).toBe(2);
    expect(done.stderr).toMatch(ONE_SENTENCE);
    expect(done.stderr).toMatch(sentence);
    expect(done.stdout).toBe("");
    expect(recordings()).toEqual([]);
  });

  test.each([
    ["links that form a loop", "loop", /working directory.*loop/],
    ["a name that is too long", "x".repeat(300), /working directory.*too long/],
  ])("a working directory with %s", async (_, name, sentence) => {
    const { path, recordings } = obstacles();
    const call = { agent: "generic", command: agent("exits-at-once"), prompt: "Go.", cwd: path(name), dataDirectory: path("data") };
    const error = await drained(call);
    expect(error).toMatchObject({ code: "start", message: expect.stringMatching(sentence) });
    expect(recordings()).toEqual([]);
  });

  test.each([
    ["links that form a loop", "loop/x", /working directory.*form a loop/],
    ["a path that is too long", "x/".repeat(3000), /working directory.*too long/],
  ])("the command line blames the directory, not the settings: %s", async (_, name, sentence) => {
    const { path, run } = obstacles();
    const done = await run([...command("exits-at-once"), "--cwd", path(name)]);
    expect(done).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(ONE_SENTENCE) });
    expect(done.stderr).toMatch(sentence);
  });

  test.each([["run", "--prompt", "Go.", ...command("exits-at-once")], ["config"], ["config", "path"], ["agents", "check", "generic"]])(
    "a deleted current directory: %s",
    async (...args) => {
      const { spawn, root } = place();
      const command = [process.execPath, BIN, ...args].map(quoted).join(" ");
      const done = await spawn("sh", ["-c", `mkdir -p ${root}/gone && cd ${root}/gone && rmdir ${root}/gone && exec ${command}`]).done;
      expect(done.code).not.toBe(70);
      expect(done.stderr).not.toContain("bug");
      if (args[0] !== "run") return;
      expect(done).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(ONE_SENTENCE) });
      expect(done.stderr).toContain("current directory no longer exists");
    },
  );

  test("a missing interpreter: the run says that it was never started", async () => {
    const { run, recording } = place();
    const done = await run(command("needs-an-interpreter"));
    expect(done.code).toBe(2);
    expect(done.stderr).toMatch(ONE_SENTENCE);
    expect(done.stderr).toContain("interpreter");
    expect(recording().sealed).toMatchObject({ status: "failed", reason: "not-started", exitCode: null });
    expectWhole(recording().stream);
    expect(recording().stream.filter(({ type }) => type === "Error")).toMatchObject([{ code: "start" }]);
    expect(done.stdout).toBe(
      recording()
        .stream.map((record) => `${JSON.stringify(record)}\n`)
        .join(""),
    );
  });

  test.each([
    ["harness-guard: 3: Cannot fork\n", 2, "Cannot fork"],
    ["harness-guard: 6: exec: /x: not found\n", 127, "interpreter"],
    ["harness-guard: 6: exec: /x: Exec format error\n", 126, "Exec format error"],
    ["harness-guard: line 6: /x: cannot execute: required file not found\n", 127, "interpreter"],
    ["output of the agent\nharness-guard: no\n", 127, undefined],
    ["harness-guard: output of an agent that succeeded\n", 0, undefined],
  ])("what a shell prints if it cannot become the agent: %j", (stderr, exitCode, cause) => {
    const error = failedStart("/x", { exitCode, signal: null }, stderr);
    expect(error?.message.includes(cause ?? "") ?? false).toBe(cause !== undefined);
  });

  test("S11: too many open files, from where Node itself starts: one sentence, and no run that seems to be running", {
    timeout: 4 * LONG_MS,
  }, async () => {
    const { spawn, harness, recordings, root } = place();
    mkdirSync(root, { recursive: true });
    const script = join(root, "empty.mjs");
    writeFileSync(script, "");
    const limited = (limit: number, args: readonly string[]) =>
      spawn("sh", ["-c", `ulimit -n ${limit}; ulimit -c 0; exec ${[process.execPath, ...args].map(quoted).join(" ")}`]).done;
    let least = 10;
    while ((await limited(least, [script])).code !== 0) least++;
    const steps = [0, 1, 3, 6, 10, 14, 16, 18, 20, 21, 22, 24, 27, 31, 36];
    let failed = 0;
    await inParallel(2, steps, async (step) => {
      const done = await limited(least + step, [BIN, "run", "--prompt", "Go.", ...command("exits-at-once")]);
      expect([0, 2, 74], done.stderr).toContain(done.code);
      if (done.code !== 0) expect(done.stderr, String(least + step)).toMatch(ONE_SENTENCE);
      if (done.code !== 0) failed++;
    });
    expect(failed).toBeGreaterThan(0);
    for (const args of [["verify", "last"], ["sessions", "list"], ["--help"]]) {
      const done = await limited(least, [BIN, ...args]);
      expect(done).toMatchObject({ code: 2, stderr: expect.stringMatching(/^harness: Too many open files\. .*\n$/) });
    }
    for (const recording of recordings()) {
      expect(recording.sealed, recording.id).toBeDefined();
      expectWhole(recording.stream);
      await expectNoOrphan(recording);
    }
    expect((await harness(["sessions", "list"])).stderr).not.toContain("completed and sealed");
  });

  test("more arguments than the system accepts in total", async () => {
    const { root, recording } = place();
    const extraArgs = Array.from({ length: 30 }, () => "x".repeat(130_000));
    const records: object[] = [];
    const error = await drained(
      { agent: "generic", command: agent("exits-at-once"), prompt: "Go.", extraArgs, dataDirectory: root },
      records,
    );
    expect(error).toMatchObject({ code: "start", message: expect.stringContaining("larger than the system allows") });
    expect(recording().sealed).toMatchObject({ status: "failed", reason: "not-started" });
    expect(records).toEqual(recording().stream);
  });

  test("rejects a NUL in a variable without repeating the value", async () => {
    const { root, recordings } = place();
    const env = { SOME_KEY: "secret\0value" };
    const error = await drained({ agent: "generic", command: agent("exits-at-once"), prompt: "Go.", env, dataDirectory: root });
    expect(error).toMatchObject({ code: "start", message: expect.stringContaining("SOME_KEY") });
    expect(String(error)).not.toContain("secret");
    for (const { sealed } of recordings()) expect(sealed).toMatchObject({ reason: "not-started" });
  });
});

/** Reads a run of the library to its end and returns what it threw. */
async function drained(call: RunCall, records: object[] = []): Promise<unknown> {
  try {
    for await (const record of run(call)) records.push(record);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("case 14: a run of the library is aborted", () => {
  const sleeper = { agent: "generic", command: agent("says-nothing"), prompt: "Go.", graceMs: 200 } as const;

  test("before it began: nothing happens", async () => {
    const { root, recordings } = place();
    const error = await drained({ ...sleeper, dataDirectory: root, signal: AbortSignal.abort() });
    expect(error).toMatchObject({ name: "AbortError" });
    expect(recordings()).toEqual([]);
  });

  test("at any moment: it throws once, is sealed, and leaves no process", { timeout: 2 * LONG_MS }, async () => {
    const { root, recordings } = place();
    const delays = fc.sample(fc.nat(50), 24);
    await inParallel(4, delays, async (ms) => {
      const controller = new AbortController();
      const reason = new Error(`after ${ms} ms`);
      setTimeout(() => controller.abort(reason), ms);
      expect(await drained({ ...sleeper, dataDirectory: root, signal: controller.signal })).toBe(reason);
    });
    for (const recording of recordings()) {
      expect(recording.sealed).toMatchObject({ status: "canceled", stopped: "cancel" });
      expectWhole(recording.stream);
      await expectNoOrphan(recording);
    }
  });

  test("after its end: it changes nothing", async () => {
    const { root, recording } = place();
    const controller = new AbortController();
    const records: object[] = [];
    const call = { ...sleeper, command: agent("exits-at-once"), dataDirectory: root, signal: controller.signal };
    expect(await drained(call, records)).toBeUndefined();
    controller.abort();
    await pause(20);
    expect(recording().sealed?.status).toBe("completed");
    expect(records).toEqual(recording().stream);
  });

  test("while its directory is created: nothing is started", async () => {
    const { root, recordings } = place();
    for (let turns = 0; turns <= 30; turns += 3) {
      const controller = new AbortController();
      const error = drained({ ...sleeper, isolate: "none", dataDirectory: root, signal: controller.signal }); // no probe comes first
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      controller.abort(); // before there is a directory, or while the lock is being taken
      expect(await error).toMatchObject({ name: "AbortError" });
    }
    expect(recordings().length).toBeGreaterThan(0);
    for (const { sealed, stream } of recordings()) {
      expect(sealed).toMatchObject({ status: "canceled", exitCode: null, signal: null });
      expectWhole(stream);
    }
  });

  test("by a view that throws: the error is passed on, and the recording is complete", async () => {
    const { root, recording } = place();
    const broken = {
      id: "broken",
      title: "",
      open: () => ({
        push: () => {
          throw new Error("a bug in a view");
        },
        end: () => [],
      }),
    };
    const error = await drained({ ...sleeper, command: `${agent("ticks.mjs")} 100000 5`, dataDirectory: root, view: broken as never });
    expect(String(error)).toContain("a bug in a view");
    expect(recording().sealed).toMatchObject({ status: "canceled" });
    expectWhole(recording().stream);
    await expectNoOrphan(recording());
  });

  test("by leaving the loop, or by an error in it", async () => {
    const { root, recordings } = place();
    const chatty = { ...sleeper, command: `${agent("ticks.mjs")} 100000 5`, dataDirectory: root };
    for await (const { type } of run(chatty)) if (type === "TextDelta") break;
    const failing = async () => {
      for await (const { type } of run(chatty)) if (type === "TextDelta") throw new Error("mine");
    };
    await expect(failing()).rejects.toThrow("mine");
    const refusing = drained({
      ...chatty,
      onStart: () => {
        throw new Error("also mine");
      },
    });
    expect(String(await refusing)).toContain("also mine");
    expect(recordings()).toHaveLength(3);
    for (const recording of recordings()) {
      expect(recording.sealed?.status).toBe("canceled");
      await expectNoOrphan(recording);
    }
  });
});

describe.concurrent("case 16: prompts of any size", () => {
  test.each([
    ["claude", 131_072],
    ["codex", 200_000],
    ["generic", 5_000_000],
    ["claude", 50_000_000],
  ])("%s gets %i bytes, unchanged", { timeout: 2 * LONG_MS }, async (name, bytes) => {
    const { harness, recording } = place();
    const prompt = "0123456789".repeat(bytes / 10 + 1).slice(0, bytes);
    const which = name === "generic" ? command("reports-its-input.mjs") : ["--agent", name, "--binary", agent("reports-its-input.mjs")];
    const done = await harness(["run", "--prompt-file", "-", "--view", "result", ...which], { stdin: prompt });
    expect(done.stderr).toBe("");
    expect(JSON.parse(recording().raw).stdin).toEqual({ bytes, sha256: sha256(prompt) });
    expect(recording().manifest.prompt).toEqual({ bytes, sha256: sha256(prompt) });
  });

  test("as an argument: up to the system's limit", { timeout: LONG_MS }, async () => {
    const { harness, recording } = place();
    const at = (bytes: number) =>
      harness(["run", "--prompt-file", "-", ...command("reports-its-input.mjs", "{prompt}")], { stdin: "y".repeat(bytes) });
    const refused = await at(131_072);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(ONE_SENTENCE);
    expect(refused.stderr).toContain("131071");
    expect((await at(131_071)).code).toBe(0);
    expect(JSON.parse(recording().raw).args[0]).toBe("y".repeat(131_071));
  });
});

describe.concurrent("cases 17 and 18: text that looks like an option, and odd bytes", () => {
  const odd = [
    "- [ ] todo",
    "--verbose",
    "-",
    "--",
    "-p",
    "$HOME `id` 'q' \"d\" \\ {prompt} %s",
    "a\r\nb\r\n",
    "ünï\u2028cödé 😀",
    "\ufeffmark",
    "\x1b[31m",
  ];
  const routes: readonly (readonly [string, readonly string[]])[] = [
    ["claude, by stdin", ["--agent", "claude", "--binary", agent("reports-its-input.mjs")]],
    ["codex, by stdin", ["--agent", "codex", "--binary", agent("reports-its-input.mjs")]],
    ["generic, as an argument", command("reports-its-input.mjs", "{prompt}")],
  ];

  test.each(routes)("%s", { timeout: 2 * LONG_MS }, async (name, args) => {
    const { harness, recordings } = place();
    const prompts = name.startsWith("codex") ? odd.slice(0, 3) : odd;
    await inParallel(
      3,
      prompts,
      async (prompt) => void (await harness(["run", "--prompt", prompt, "--name", prompt, "--view", "result", ...args])),
    );
    expect(recordings()).toHaveLength(prompts.length);
    for (const { raw, manifest, stream } of recordings()) {
      const got = JSON.parse(raw);
      if (name.endsWith("argument")) expect(got.args).toEqual([manifest.name]);
      else expect(got.stdin.sha256).toBe(sha256(manifest.name ?? ""));
      expect(stream.find(({ role }) => role === "user")).toMatchObject({ text: manifest.name });
    }
  });

  test("the prompt --version is a prompt", async () => {
    const { harness, recording } = place();
    await harness(["run", "--prompt", "--version", ...command("reports-its-input.mjs", "{prompt}")]);
    expect(JSON.parse(recording().raw).args).toEqual(["--version"]);
  });

  test.each([
    ["empty", "", 2, /prompt is empty/],
    ["only white space", " \n\t", 2, /prompt is empty/],
    ["not UTF-8", Buffer.from([0x68, 0xff, 0x69]), 2, /not UTF-8/],
    ["NUL, by stdin", "a\0b", 0, /^$/],
  ])("%s", async (_, stdin, code, stderr) => {
    const { harness, recordings } = place();
    const done = await harness(["run", "--prompt-file", "-", ...command("reports-its-input.mjs")], { stdin });
    expect(done.code).toBe(code);
    expect(done.stderr).toMatch(stderr);
    if (code === 0) expect(JSON.parse(recordings()[0]?.raw ?? "").stdin.sha256).toBe(sha256(stdin));
    else expect(recordings()).toEqual([]);
  });

  test("NUL, as an argument", async () => {
    const { harness, recordings } = place();
    const done = await harness(["run", "--prompt-file", "-", ...command("reports-its-input.mjs", "{prompt}")], { stdin: "a\0b" });
    expect(done.code).toBe(2);
    expect(done.stderr).toMatch(/NUL/);
    expect(recordings()).toEqual([]);
  });

  test("rejects half of a surrogate pair instead of replacing it", async () => {
    const { root } = place();
    const error = await drained({ agent: "generic", command: agent("exits-at-once"), prompt: "a\ud800b", dataDirectory: root });
    expect(error).toBeInstanceOf(HarnessError);
    expect(error).toMatchObject({ code: "usage" });
  });
});

test("case 20: harmful variables do not reach the agent, and the manifest names them", async () => {
  const { run, recording } = place();
  const poison = {
    CLAUDECODE: "1",
    CLAUDE_CODE_SSE_PORT: "1",
    CODEX_SANDBOX: "seatbelt",
    NODE_OPTIONS: "--title=poisoned",
    GIT_DIR: "/nonexistent",
    BASH_ENV: "/nonexistent",
    PERL5OPT: "-d",
    npm_config_prefix: "/nonexistent",
    HARNESS_RUN_COOKIE: "somebody-elses",
  };
  const kept = { ANTHROPIC_BASE_URL: "http://127.0.0.1:9", CODEX_HOME: "/tmp/codex", LANG: "C" };
  const args = ["--env", "GIT_DIR", "--env", "ADDED=yes", ...command("reports-its-input.mjs")];
  const done = await run(args, { env: { ...poison, ...kept } });
  expect(done.code).toBe(0);
  const { env } = JSON.parse(recording().raw);
  const { HARNESS_RUN_COOKIE: cookie, GIT_DIR, ...removed } = poison;
  for (const name of Object.keys(removed)) expect(env).not.toHaveProperty(name);
  expect(env).toMatchObject({ ...kept, GIT_DIR, ADDED: "yes", HARNESS_RUN_COOKIE: recording().manifest.cookie });
  expect(recording().manifest.environment.removed).toEqual(expect.arrayContaining(Object.keys(removed)));
  expect(recording().manifest.environment.set).toEqual(["ADDED", "GIT_DIR"]);
  expect(cookie).not.toBe(recording().manifest.cookie);
});

test("case 21: an agent that never reads its stdin", async () => {
  const { harness, recording } = place();
  const done = await harness(["run", "--prompt-file", "-", "--view", "result", ...command("exits-at-once")], {
    stdin: "z".repeat(5_000_000),
  });
  expect(done.code).toBe(0);
  expect(done.stderr).toBe("");
  expect(recording().sealed?.status).toBe("completed");
});

test("rejects an unreadable directory before the agent is started", async () => {
  const { root, run } = place();
  const shut = join(dirname(root), "shut");
  mkdirSync(shut);
  chmodSync(shut, 0);
  const done = await run([...command("exits-at-once"), "--cwd", shut]);
  chmodSync(shut, 0o700);
  if (process.getuid?.() === 0)
    expect(done.code).toBe(0); // root can read everything
  else expect(done.stderr).toMatch(/cannot be entered: permission denied/);
});
