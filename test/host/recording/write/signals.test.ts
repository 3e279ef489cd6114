import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { BIN, hasTerminal } from "../../../support/harness.ts";
import { cleanUp, command, expectNoOrphan, expectWhole, inParallel, LONG_MS, type Place, place, quoted } from "../../../support/place.ts";

afterAll(cleanUp);

const RUN = ["run", "--prompt", "Go."];

describe.concurrent("case 6: a signal cancels the run, which is sealed", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s: exit code %i", async (signal, code) => {
    const { start, recording } = place();
    const started = start([...RUN, ...command("stops-politely")]);
    await started.printed("ready");
    process.kill(started.pid, signal);
    expect((await started.done).code).toBe(code);
    expect(recording().raw).toBe("ready\nstopping\n");
    expect(recording().sealed).toMatchObject({ status: "canceled", stopped: "cancel", exitCode: 0 });
    expectWhole(recording().stream);
    await expectNoOrphan(recording());
  });

  test("a second one does not wait for the grace period", async () => {
    const { start, recording } = place();
    const started = start([...RUN, ...command("ignores-signals"), "--grace", "5m"]);
    await started.printed("ready");
    process.kill(started.pid, "SIGTERM");
    await pause(200);
    process.kill(started.pid, "SIGINT");
    const done = await started.done;
    expect(done.code).toBe(143); // the first signal is the reason
    expect(done.ms).toBeLessThan(LONG_MS);
    expect(recording().sealed).toMatchObject({ status: "canceled", signal: "SIGKILL" });
    expectWhole(recording().stream);
    await expectNoOrphan(recording());
  });

  test.skipIf(!hasTerminal).each([1, 2, 5])("Ctrl-C in a terminal, %i times", async (times) => {
    const { spawn, recording } = place();
    const line = [process.execPath, BIN, ...RUN, ...command("ignores-signals"), "--grace", times === 1 ? "300ms" : "5m"]
      .map(quoted)
      .join(" ");
    const { child, printed, done } = spawn("script", ["-qec", line, "/dev/null"], { env: { TERM: "xterm" }, stdin: null });
    await printed("ready");
    for (let i = 0; i < times; i++) {
      child.stdin?.write("\x03");
      await pause(100);
    }
    expect((await done).code).toBe(130);
    expect(recording().sealed).toMatchObject({ status: "canceled", signal: "SIGKILL" });
    expectWhole(recording().stream);
    await expectNoOrphan(recording());
  });

  test.skipIf(!hasTerminal)("the terminal closes", async () => {
    const { spawn, recording } = place();
    const line = [process.execPath, BIN, ...RUN, ...command("stops-politely")].map(quoted).join(" ");
    const { child, printed, done } = spawn("script", ["-qec", line, "/dev/null"], { env: { TERM: "xterm" }, stdin: null });
    await printed("ready");
    child.kill("SIGKILL"); // the other end of the terminal is closed, so the kernel sends SIGHUP
    await done;
    await expectNoOrphan(recording());
    const list = await open(recording().directory);
    expect(list.code).toBe(0);
    expect(recording().sealed?.status).toMatch(/canceled|crashed/);
    expectWhole(recording().stream);

    async function open(directory: string) {
      return spawn(process.execPath, [BIN, "derive", directory]).done;
    }
  });
});

test("a signal as soon as there is a run: the recorder itself cancels and seals it", { timeout: 2 * LONG_MS }, async () => {
  const where = place();
  const { child, done } = where.start([...RUN, ...command("stops-politely")]);
  let isOver = false;
  const over = done.then(() => {
    isOver = true;
  });
  while (!isOver && where.recordings().length === 0) await new Promise((resolve) => setImmediate(resolve));
  child.kill("SIGTERM");
  await over;
  expect(await done).toMatchObject({ code: 143, signal: null });
  expect(where.recording().sealed).toMatchObject({ status: "canceled", stopped: "cancel" });
  await expectNoOrphan(where.recording());
});

interface Shower {
  readonly agent: string;
  readonly signals: readonly { readonly signal: "SIGINT" | "SIGTERM" | "SIGHUP"; readonly afterMs: number }[];
}

const showers = fc.record<Shower>({
  agent: fc.constantFrom("stops-politely", "ignores-signals", "leaves-a-child", "escapes.mjs"),
  signals: fc.array(fc.record({ signal: fc.constantFrom("SIGINT", "SIGTERM", "SIGHUP"), afterMs: fc.nat(500) }), {
    minLength: 1,
    maxLength: 4,
  }),
});

test("case 6: signals at random moments, also during start and stop: never an orphan, always a recording", async () => {
  const where = place();
  await inParallel(4, fc.sample(showers, 36), (shower) => endUnder(where, shower));
  expect((await where.harness(["sessions", "list"])).code).toBe(0); // completes a run whose signal came before there was a handler
  for (const recording of where.recordings()) {
    expect(recording.sealed, recording.id).toBeDefined();
    expectWhole(recording.stream);
    await expectNoOrphan(recording);
  }
});

async function endUnder({ start }: Place, { agent, signals }: Shower): Promise<void> {
  const { child, done } = start([...RUN, ...command(agent), "--grace", "200ms"]);
  for (const { signal, afterMs } of signals) {
    await Promise.race([pause(afterMs), done]);
    child.kill(signal);
  }
  const { code, signal, stderr } = await done;
  const how = JSON.stringify({ agent, signals, code, signal, stderr });
  expect(signal === null ? [0, 129, 130, 143] : ["SIGINT", "SIGTERM", "SIGHUP"], how).toContain(signal ?? code);
  expect(stderr, how).toBe("");
}
