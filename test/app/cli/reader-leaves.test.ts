import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { BIN, file } from "../../support/harness.ts";
import { cleanUp, eventually, expectNoOrphan, type Place, place, quoted } from "../../support/place.ts";

/** S12: a reader that closes the pipe is noticed while nothing is written. */

afterAll(cleanUp);

const silent = ["--agent", "generic", "--command", "sleep 600"];
const cases = () => file('{"id":"1","input":"Hello."}\n', "cases.jsonl");
const evaluated = ["--no-check", ...silent, "-j", "1"];

/** Commands that print while something happens; all of these would wait for minutes. */
const STREAMING: Readonly<Record<string, { readonly args: () => readonly string[]; readonly reader?: string; readonly seals?: true }>> = {
  run: { args: () => ["run", "-p", "Go.", ...silent], seals: true },
  "run --json": { args: () => ["run", "-p", "Go.", ...silent, "--json", "--view", "log"], seals: true },
  observe: { args: () => ["observe", "-p", "Go.", ...silent, "-o", join(file(""), "../out")], seals: true },
  capture: { args: () => ["capture", cases(), ...evaluated], seals: true },
  trials: { args: () => ["trials", cases(), "-k", "2", ...evaluated], seals: true },
  demo: { args: () => ["demo", "--speed", "0.01"], reader: "sed 3q", seals: true },
  watch: { args: () => ["watch"] },
  derive: { args: () => ["derive", "-", "--agent", "claude"] },
  model: { args: () => ["model", file("turns:\n  - text: hello\n", "model.yaml")] },
};

function expectSealed(here: Place): void {
  const runs = here.recordings();
  expect(runs.length).toBeGreaterThan(0);
  for (const { sealed } of runs) expect(sealed).toMatchObject({ status: "canceled" });
}

describe("S12: the reader leaves while the agent is silent", () => {
  test.each(Object.entries(STREAMING))("%s, by a pipe of the shell", { timeout: 90_000 }, async (_, { args, reader = "true", seals }) => {
    const here = place();
    const line = [process.execPath, BIN, ...args()].map(quoted).join(" ");
    const done = await here.spawn("bash", ["-c", `${line} | ${reader}; exit \${PIPESTATUS[0]}`], { stdin: null }).done;
    expect({ code: done.code, stderr: done.stderr.includes("internal error") }).toEqual({ code: 141, stderr: false });
    if (seals) {
      expectSealed(here);
      for (const run of here.recordings()) await expectNoOrphan(run);
    }
  });

  test.each(Object.entries(STREAMING))("%s, by a socket", { timeout: 90_000 }, async (_, { args, reader, seals }) => {
    const here = place();
    const { child, done } = here.start(args(), { stdin: null });
    child.stdout?.destroy();
    expect((await done).code).toBe(141);
    if (seals && reader === undefined) expectSealed(here);
  });

  test.each(["run", "capture"])("%s, if only stderr is read", { timeout: 90_000 }, async (name) => {
    const here = place();
    const line = [process.execPath, BIN, ...(STREAMING[name]?.args() ?? [])].map(quoted).join(" ");
    const out = join(file(""), "../stdout");
    const done = await here.spawn("bash", ["-c", `${line} 2>&1 > '${out}' | true; exit \${PIPESTATUS[0]}`], { stdin: null }).done;
    expect(done.code).toBe(141);
    expectSealed(here);
  });

  test("run, if stderr is a socket and stdout a file", { timeout: 90_000 }, async () => {
    const here = place();
    const line = [process.execPath, BIN, "run", "-p", "Go.", ...silent].map(quoted).join(" ");
    const { child, done } = here.spawn("sh", ["-c", `exec ${line} > '${join(file(""), "../stdout")}'`], { stdin: null });
    child.stderr?.destroy();
    expect((await done).code).toBe(141);
    expectSealed(here);
  });

  test("replay, in the middle of a pause", { timeout: 90_000 }, async () => {
    const here = place();
    await here.run(["--agent", "generic", "--command", "sh -c 'echo a; sleep 1; echo b'"]);
    const line = [process.execPath, BIN, "replay", "last", "--speed", "0.005"].map(quoted).join(" ");
    expect((await here.spawn("bash", ["-c", `${line} | true; exit \${PIPESTATUS[0]}`]).done).code).toBe(141);
  });

  test("--keep-going lets the run finish", { timeout: 90_000 }, async () => {
    const here = place();
    const line = [process.execPath, BIN, "run", "-p", "Go.", "--keep-going", "--agent", "generic", "--command", "sleep 3"]
      .map(quoted)
      .join(" ");
    await here.spawn("bash", ["-c", `${line} | true; exit \${PIPESTATUS[0]}`]).done;
    expect(here.recording().sealed).toMatchObject({ status: "completed" });
  });

  test("the end of a run is the end of the output, also after kill -9", { timeout: 90_000 }, async () => {
    const here = place();
    const pid = join(here.root, "..", "pid");
    writeFileSync(pid, "");
    const line = [process.execPath, BIN, "run", "-p", "Go.", ...silent, "--json"].map(quoted).join(" ");
    const { done } = here.spawn("bash", ["-c", `(echo $BASHPID > '${pid}'; exec ${line}) | cat`]);
    await eventually(() => expect(here.recordings()).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    process.kill(Number(readFileSync(pid, "utf8")), "SIGKILL");
    await done; // `cat` sees the end
    await here.harness(["runs"]); // completes the run, and ends its agent
  });
});
