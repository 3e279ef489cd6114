import { afterAll, expect, test, vi } from "vitest";
import { type Launch, type Launched, type Launcher, localLauncher, type RunOptions, run } from "../../../../src/index.ts";
import { cleanUp, place } from "../../../support/place.ts";

afterAll(cleanUp);

/** Runs programs with the lowest priority, whatever that of the tests is, and remembers its calls. */
function niceLauncher(asked: Launch[] = []): Launcher {
  return {
    id: "nice",
    launch(program) {
      asked.push(program);
      return localLauncher.launch({ ...program, binary: "/usr/bin/nice", args: ["-n", "39", program.binary, ...program.args] });
    },
  };
}

/** `recorded` runs to the end. */
function runOf(options: Partial<RunOptions>) {
  const { root, recording, recordings } = place();
  const call = { agent: "generic", command: "sh -c 'nice; exit 3'", prompt: "Hello.", dataDirectory: root, ...options };
  async function recorded() {
    for await (const _ of run(call));
    return recording();
  }
  return { recorded, recording, recordings };
}

test("a custom launcher starts the agent, and the recording names it", async () => {
  const asked: Launch[] = [];
  const { raw, manifest } = await runOf({ launcher: niceLauncher(asked) }).recorded();
  expect(raw).toBe("19\n");
  expect(asked.map(({ args }) => args)).toEqual([["-c", "nice; exit 3"]]);
  expect(manifest).toMatchObject({ launcher: { id: "nice" }, command: { binary: asked[0]?.binary, args: ["-c", "nice; exit 3"] } });
  expect(manifest.sealed).toMatchObject({ exitCode: 3, leftovers: 0 });
});

test("the local launcher is not mentioned", async () => {
  const { manifest } = await runOf({ launcher: localLauncher }).recorded();
  expect(manifest).not.toHaveProperty("launcher");
});

test("what a launcher says about itself is stored, with secrets masked", async () => {
  const probe = async ({ cwd, env }: Pick<Launch, "cwd" | "env">) => ({ level: "files", cwd, key: env["MY_KEY"] });
  const { manifest } = await runOf({ launcher: { ...niceLauncher(), probe }, env: { MY_KEY: "0123456789abcdef" } }).recorded();
  expect(manifest.launcher).toEqual({ id: "nice", about: { level: "files", cwd: process.cwd(), key: "****************" } });
});

test("a launcher that cannot start anything here leaves no run behind", async () => {
  const probe = () => Promise.reject(new Error("no user namespaces"));
  const { recorded, recordings } = runOf({ launcher: { ...niceLauncher(), probe } });
  await expect(recorded()).rejects.toThrow("no user namespaces");
  expect(recordings()).toEqual([]);
});

test("a failed launch is recorded as a failed start", async () => {
  const { recorded, recording } = runOf({ launcher: { id: "broken", launch: () => Promise.reject(new Error("out of containers")) } });
  await expect(recorded()).rejects.toThrow(/^Cannot start .*: out of containers\.$/);
  expect(recording().sealed).toMatchObject({ stopped: "not-started", exitCode: null });
});

test("a launcher that fails while watching leaves nothing running", async () => {
  let pid = 0;
  const launcher: Launcher = {
    id: "broken",
    async launch(program) {
      const launched = await localLauncher.launch(program);
      pid = launched.pid;
      return { ...launched, exited: Promise.reject(new Error("connection lost")) };
    },
  };
  const { recorded, recording } = runOf({ launcher, command: "sleep 60" });
  await expect(recorded()).rejects.toThrow("connection lost");
  expect(recording().sealed).toBeDefined();
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test("a program may be found elsewhere than on PATH", async () => {
  const find: Launcher["find"] = ({ binary }) => (binary === "printer" ? "/bin/echo" : undefined);
  const { raw } = await runOf({ launcher: { ...localLauncher, id: "image", find }, command: "printer hello" }).recorded();
  expect(raw).toBe("hello\n");
});

test("rejects an object that is not a launcher", async () => {
  const { recorded, recordings } = runOf({ launcher: {} as Launcher });
  await expect(recorded()).rejects.toThrow("`launcher` must be an object with an id and launch().");
  expect(recordings()).toEqual([]);
});

/** The local launcher, with parts of what it launches replaced. */
function changed(change: (launched: Launched) => object): Launcher {
  return {
    id: "odd",
    async launch(program) {
      const launched = await localLauncher.launch(program);
      const { pid, stdin, stdout, exited } = launched;
      const own = { signal: (name: NodeJS.Signals) => launched.signal(name), finish: () => launched.finish() };
      return { pid, stdin, stdout, exited, ...own, ...change(launched) };
    },
  };
}

test.each([
  ["whose `exited` never settles", { exited: new Promise<never>(() => {}) }],
  ["whose `signal` throws", { signal: () => { throw new Error("no"); } }], // biome-ignore format: short
  [
    "whose `finish` rejects, and `exited` never settles",
    { exited: new Promise<never>(() => {}), finish: () => Promise.reject(new Error("no")) },
  ],
])("one %s cannot defeat timeoutMs", { timeout: 20_000 }, async (_, odd) => {
  const { recorded } = runOf({ launcher: changed(() => odd), command: "sleep 3", timeoutMs: 300, graceMs: 200 });
  expect((await recorded()).sealed).toMatchObject({ status: "timed_out", stopped: "timeout" });
});

test("one that launches for ever is given up 30 seconds after it was stopped, and ended if it launches later", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    let launch = (_: Launched) => {};
    const finish = vi.fn(async () => 0);
    const launcher: Launcher = { id: "slow", launch: () => new Promise((resolve) => { launch = resolve; }) }; // biome-ignore format: short
    const stop = new AbortController();
    const { recorded, recording } = runOf({ launcher, signal: stop.signal });
    const running = recorded().catch((error: unknown) => error);
    await vi.waitFor(() => expect(recording().manifest.launcher).toEqual({ id: "slow" }));
    stop.abort(new Error("Enough."));
    await vi.advanceTimersByTimeAsync(29_000);
    expect(recording().sealed).toBeUndefined();
    await vi.advanceTimersByTimeAsync(2000);
    expect(await running).toMatchObject({ message: "Enough." });
    expect(recording().sealed).toMatchObject({ status: "canceled" });
    launch({ pid: 1, stdin: null, stdout: null, exited: new Promise(() => {}), signal() {}, finish });
    await vi.waitFor(() => expect(finish).toHaveBeenCalled());
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ["undefined", undefined],
  ["a number", 5],
  ["half a program", { pid: 1, exited: Promise.resolve() }],
])("one that launches %s is an error", async (_, launched) => {
  const { recorded, recording } = runOf({ launcher: { id: "empty", launch: () => launched as never } });
  await expect(recorded()).rejects.toThrow("launch() of the launcher empty did not resolve with a running program.");
  expect(recording().sealed).toMatchObject({ status: "failed", stopped: "not-started" });
});

test.each([{ exitCode: "x", signal: 5 }, undefined, 3])(
  "one that reports the exit %j is an error, and the run can be read",
  async (exit) => {
    const { recorded, recording } = runOf({ launcher: changed(({ exited }) => ({ exited: exited.then(() => exit) })) });
    await expect(recorded()).rejects.toThrow("reported an exit without an exit code and a signal");
    expect(recording().sealed).toMatchObject({ exitCode: null, signal: null });
  },
);

test("leftovers that are not a number are not known", async () => {
  const { recorded } = runOf({ launcher: changed((all) => ({ finish: () => all.finish().then(() => "many") })) });
  expect((await recorded()).sealed).toMatchObject({ exitCode: 3, leftovers: null });
});

test.each([5, null, "x"])("a probe that resolves with %j is rejected before there is a run", async (about) => {
  const { recorded, recordings } = runOf({ launcher: { ...niceLauncher(), probe: async () => about as never } });
  await expect(recorded()).rejects.toMatchObject({ code: "usage", option: "launcher" });
  expect(recordings()).toEqual([]);
});
