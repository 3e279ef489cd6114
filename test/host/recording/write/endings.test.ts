import { existsSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { BIN, hasTerminal } from "../../../support/harness.ts";
import {
  agent,
  cleanUp,
  command,
  eventually,
  expectNoOrphan,
  expectWhole,
  isAlive,
  jsonLines,
  place,
  quoted,
} from "../../../support/place.ts";

afterAll(cleanUp);

/** These agents would run for 300 s: any run that ends earlier was ended by us. */
const IN_TIME_MS = 20_000;

describe.concurrent("every run ends and leaves no process behind", () => {
  test("case 1: a grandchild keeps stdout open", async () => {
    const { run, recording } = place();
    const done = await run(command("leaves-a-child"));
    expect(done.code).toBe(0);
    expect(done.ms).toBeLessThan(IN_TIME_MS);
    const { raw, sealed, stream } = recording();
    expect(raw).toBe("result\n");
    expect(sealed).toMatchObject({ status: "completed", exitCode: 0, leftovers: 1 });
    expectWhole(stream);
    await expectNoOrphan(recording());
  });

  test("case 2: an agent that ignores SIGTERM is killed after the grace period", async () => {
    const { run, recording } = place();
    const done = await run([...command("ignores-signals"), "--timeout", "500ms", "--grace", "500ms"]);
    expect(done.code).toBe(124);
    expect(done.ms).toBeGreaterThan(1000);
    expect(done.ms).toBeLessThan(IN_TIME_MS);
    const { sealed, stream } = recording();
    expect(sealed).toMatchObject({ status: "timed_out", reason: "timeout", signal: "SIGKILL", stopped: "timeout" });
    expectWhole(stream);
    await expectNoOrphan(recording());
  });

  test("case 2: an agent that stops when asked has time to say so", async () => {
    const { run, recording } = place();
    const done = await run([...command("stops-politely"), "--timeout", "700ms", "--grace", "20s"]);
    expect(done.code).toBe(124);
    expect(done.ms).toBeLessThan(IN_TIME_MS);
    expect(recording().raw).toBe("ready\nstopping\n");
    expect(recording().sealed).toMatchObject({ status: "timed_out", exitCode: 0 });
  });

  test("case 3: finds a process that left for its own session", async () => {
    const { run, recording } = place();
    const done = await run(command("escapes.mjs"));
    expect(done.code).toBe(0);
    expect(done.ms).toBeLessThan(IN_TIME_MS);
    expect(recording().sealed).toMatchObject({ status: "completed", leftovers: 2 });
    await expectNoOrphan(recording());
  });

  /** Ends when the daemon is the program that it becomes. */
  const DAEMON = `sh -c 'env -i setsid sleep 61 < /dev/null > /dev/null 2>&1 & until grep -q sleep /proc/$!/comm; do sleep 0.05; done; echo done'`;

  test.runIf(existsSync("/proc/self/stat"))("case 4: a daemon that cleared its environment is named as a possible escape", async () => {
    const { run, recording } = place();
    const unwalled = ["--agent", "generic", "--isolate", "none"]; // walls would end it
    const done = await run([...unwalled, "--command", DAEMON]);
    expect(done.code).toBe(0);
    const [warning] = recording().activity.filter(({ code }) => code === "possible-escape");
    const pid = Number(/sleep 61 \((\d+)\)/.exec(String(warning?.["message"]))?.[1]);
    expect(isAlive(pid)).toBe(true);
    process.kill(pid);
  });

  test("case 3: even if the agent's PATH leads nowhere", async () => {
    const { run, recording } = place();
    const line = [process.execPath, agent("escapes.mjs")].map(quoted).join(" ");
    const done = await run(["--agent", "generic", "--command", line, "--env", "PATH=/nonexistent"]);
    expect(done.code).toBe(0);
    expect(recording().sealed).toMatchObject({ status: "completed", leftovers: 2 });
    await expectNoOrphan(recording());
  });

  test("ends an agent that stops its whole group, including the watcher", async () => {
    const { run, recording } = place();
    const done = await run([...command("stops-its-group"), "--timeout", "500ms", "--grace", "500ms"]);
    expect(done.code).toBe(124);
    expect(done.ms).toBeLessThan(IN_TIME_MS);
    expect(recording().sealed).toMatchObject({ status: "timed_out" });
    await expectNoOrphan(recording());
  });

  test("or the next open ends it, if the recorder was killed meanwhile", async () => {
    const { start, recording, harness } = place();
    const started = start(["run", "--prompt", "Go.", ...command("stops-its-group")]);
    await started.printed("ready");
    process.kill(started.pid, "SIGKILL");
    await started.done;
    expect((await harness(["sessions", "list"])).code).toBe(0);
    expect(recording().sealed).toMatchObject({ status: "crashed" });
    await expectNoOrphan(recording());
  });

  test("a harness inside an agent ends with it, and so does its own agent", async () => {
    const { start, recordings, harness } = place();
    const inner = [process.execPath, BIN, "run", "--prompt", "Go.", ...command("ignores-signals")].map(quoted).join(" ");
    const outer = start(["run", "--prompt", "Go.", "--agent", "generic", "--command", inner, "--view", "log"]);
    await outer.printed("ready");
    expect(recordings()).toHaveLength(2);
    process.kill(outer.pid, "SIGKILL");
    await outer.done;
    for (const recording of recordings()) await expectNoOrphan(recording);
    expect((await harness(["sessions", "list"])).code).toBe(0);
    for (const { sealed } of recordings()) expect(sealed?.status).toBe("crashed");
  });

  test("an agent that kills its whole group, including the watcher, leaves no process behind", async () => {
    const { run, recording } = place();
    const done = await run(command("kills-its-group.mjs"));
    expect(done.code).toBe(1);
    expect(recording().sealed).toMatchObject({ status: "crashed", signal: "SIGKILL" });
    await expectNoOrphan(recording());
  });

  test("no signal to the group reaches the watcher", async () => {
    const { start, recording } = place();
    const started = start(["run", "--prompt", "Go.", ...command("sends-every-signal")]);
    await started.printed("ready");
    process.kill(started.pid, "SIGKILL");
    await started.done;
    await expectNoOrphan(recording());
  });

  test("case 7: it reports its result and does not exit", async () => {
    const { run, recording } = place();
    const result = JSON.stringify({ type: "result", subtype: "success", is_error: false, result: "Done.", session_id: "s", num_turns: 1 });
    const line = `${result}\n`;
    const done = await run(["--agent", "claude", "--binary", agent("says-and-stays.mjs"), "--after-result", "400ms", "--view", "log"], {
      env: { TEXT: line },
    });
    expect(done.code).toBe(0);
    expect(done.ms).toBeLessThan(IN_TIME_MS);
    expect(recording().sealed).toMatchObject({ status: "completed", stopped: "after-result" });
    expect(jsonLines(done.stdout).map(({ code }) => code)).toContain("exit-forced");
    expectWhole(recording().stream);
    await expectNoOrphan(recording());
  });

  test("case 8: silence gives a warning, again after twice the time, and does not end the run", async () => {
    const { run, recording } = place();
    const done = await run([...command("says-nothing"), "--idle-warning", "200ms", "--timeout", "1500ms", "--view", "activity"]);
    expect(done.code).toBe(124);
    const idle = recording().activity.filter(({ code }) => code === "idle");
    expect(idle.length).toBeGreaterThanOrEqual(2);
    expect(idle.length).toBeLessThanOrEqual(4);
    expect(recording().sealed?.status).toBe("timed_out");
    expectWhole(recording().stream);
  });

  test("case 8: unless --idle-timeout is set", async () => {
    const { run, recording } = place();
    const done = await run([...command("says-nothing"), "--idle-timeout", "300ms"]);
    expect(done.code).toBe(124);
    expect(done.ms).toBeLessThan(IN_TIME_MS);
    expect(recording().sealed).toMatchObject({ status: "hung", reason: "idle-timeout", stopped: "idle" });
    expectWhole(recording().stream);
    await expectNoOrphan(recording());
  });

  test("bytes held back for a possible secret do not count as silence", async () => {
    const { run, recording } = place();
    const env = { LONG_TOKEN: "t".repeat(4000) };
    const done = await run([...command("prints-dots.mjs", "12", "150"), "--idle-timeout", "1200ms"], { env });
    expect(recording().sealed).toMatchObject({ status: "completed" });
    expect(done.code).toBe(0);
  });

  test("case 9: the agent has its own stdin, which ends, whatever ours is", async () => {
    const { start, recordings } = place();
    const byArgument = start(["run", "--prompt", "Go.", ...command("reads-stdin", "{prompt}")], { stdin: null });
    const byStdin = start(["run", "--prompt", "Go.", ...command("reads-stdin")], { stdin: null });
    expect((await byArgument.done).code).toBe(0);
    expect((await byStdin.done).code).toBe(0);
    expect(
      recordings()
        .map(({ raw }) => raw.trim())
        .sort(),
    ).toEqual(["0 bytes", "3 bytes"]);
  });

  test.skipIf(!hasTerminal)("case 10: the agent has no terminal, even if we have one", async () => {
    const { spawn, recording } = place();
    const line = [process.execPath, BIN, "run", "--prompt", "Go.", "--json", ...command("asks-the-terminal")].map(quoted).join(" ");
    const done = await spawn("script", ["-qec", line, "/dev/null"], { env: { TERM: "xterm" }, stdin: null }).done;
    expect(done.code).toBe(0);
    expect(done.ms).toBeLessThan(IN_TIME_MS);
    expect(recording().raw).toBe("no terminal\n");
  });

  test("a process of its group without our environment ends with us", async () => {
    const { start, recording } = place();
    const started = start(["run", "--prompt", "Go.", "--isolate", "none", ...command("scrubs-a-child")]);
    await started.printed("child ");
    const pid = Number(/child (\d+)/.exec(started.text())?.[1]);
    expect(isAlive(pid)).toBe(true);
    process.kill(started.pid, "SIGKILL");
    await started.done;
    await eventually(() => expect(isAlive(pid)).toBe(false));
    await expectNoOrphan(recording());
  });
});

const SUCCESS = { type: "result", subtype: "success", is_error: false, result: "Done.", session_id: "s", num_turns: 1 };
const FAILURE = { type: "result", subtype: "error_during_execution", is_error: true, session_id: "s", num_turns: 1 };
const lines = (...values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

describe.concurrent("case 33: an exit code is only a claim", () => {
  test.each([
    {
      what: "no result, exit 0",
      text: lines({ type: "system", subtype: "init", session_id: "s" }),
      exit: "0",
      code: 1,
      status: "failed",
      reason: "result-missing",
    },
    { what: "nothing at all, exit 0", text: "", exit: "0", code: 1, status: "failed", reason: "result-missing" },
    { what: "success, exit 0", text: lines(SUCCESS), exit: "0", code: 0, status: "completed", reason: "success" },
    { what: "success, exit 1", text: lines(SUCCESS), exit: "1", code: 1, status: "failed", reason: "exit-code" },
    { what: "error, exit 0", text: lines(FAILURE), exit: "0", code: 1, status: "failed", reason: "error_during_execution" },
    { what: "success, killed", text: lines(SUCCESS), exit: "SIGKILL", code: 1, status: "crashed", reason: "SIGKILL" },
    {
      what: "success, ended by a SIGTERM from elsewhere",
      text: lines(SUCCESS),
      exit: "SIGTERM",
      code: 1,
      status: "canceled",
      reason: "SIGTERM",
    },
  ])("$what: $status", async ({ text, exit, code, status, reason }) => {
    const { run, recording } = place();
    const done = await run(["--agent", "claude", "--binary", agent("says.mjs")], { env: { TEXT: text, EXIT: exit } });
    expect(recording().sealed).toMatchObject({ status, reason });
    expect(done.code).toBe(code);
    expectWhole(recording().stream);
    expect(
      done.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(recording().stream);
  });
});

describe.concurrent("case 34: the last line has no newline", () => {
  test.each([
    ["a complete object is an event", JSON.stringify(SUCCESS), "completed", undefined],
    ["half an object is one unknown that says so", '{"type":"result","subt', "failed", { type: "unknown", truncated: true }],
    ["text is an unknown", "bye", "failed", { type: "unknown", raw: "bye" }],
  ])("%s", async (_, text, status, unknown) => {
    const { run, recording } = place();
    await run(["--agent", "claude", "--binary", agent("says.mjs")], { env: { TEXT: text } });
    expect(recording().raw).toBe(text);
    expect(recording().sealed?.status).toBe(status);
    const unknowns = recording().activity.filter(({ type }) => type === "unknown");
    if (unknown === undefined) expect(unknowns).toEqual([]);
    else expect(unknowns).toMatchObject([unknown]);
    expectWhole(recording().stream);
  });
});
