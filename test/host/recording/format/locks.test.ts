import { readdirSync, truncateSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { cleanUp, type Place, place, processesOf, type Started } from "../../../support/place.ts";
import { cleanUp as endChildren, program, start } from "../../files/child.ts";
import { crashedCopy } from "./support/crashed.ts";
import { expectSealed, leftovers, type OnDisk, onDisk } from "./support/recorded.ts";

/** Cases 42 and 43: one writer at a time, and never a dead one. */

const TICKS = `sh ${join(import.meta.dirname, "support/ticks.sh")}`;
const COMPLETED = "was not finished by its recorder; it has now been completed and sealed";

/** Locks a run as a process that completes it does, and stays. */
const COMPLETER = `import { acquireLock } from "src/host/files/lock.ts";
  await acquireLock(process.argv[2], { command: "harness, completing it" });
  console.log('"locked"');
  setInterval(() => {}, 1000);`;

afterAll(() => {
  endChildren();
  cleanUp();
});

async function begun(here: Place): Promise<{ started: Started; run: OnDisk }> {
  const known = new Set(here.recordings().map(({ directory }) => directory));
  const started = here.start(["run", "--prompt", "Go.", "--agent", "generic", "--command", TICKS]);
  await started.printed('"text":"x');
  const directories = readdirSync(here.runs)
    .filter((id) => !id.startsWith("."))
    .map((id) => join(here.runs, id));
  const [directory = ""] = directories.filter((path) => !known.has(path));
  return { started, run: onDisk(directory) };
}

describe("case 42: a run that is being written", () => {
  test("is neither deleted nor verified: exit code 3, with the name of its writer", async () => {
    const here = place();
    const { started, run } = await begun(here);
    const { id } = run.manifest;
    const removal = `The run ${id} is being written by process ${started.pid} on ${hostname()}.`;
    const check = `Process ${started.pid} is still writing the run ${id}.`;
    const [rm, verify, prune, list] = await Promise.all([
      here.harness(["sessions", "rm", id]),
      here.harness(["sessions", "verify", "last"]),
      here.harness(["sessions", "prune", "--older-than", "0m"]),
      here.harness(["sessions", "list"]),
    ]);
    expect(rm).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining(removal) });
    expect(verify).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining(check) });
    expect(prune).toMatchObject({ code: 0, stdout: "" });
    expect(JSON.parse(list.stdout)).toMatchObject({ id, status: "running" });
    started.child.kill("SIGINT");
    expect((await started.done).code).toBe(130);
    expect(await expectSealed(run.paths.directory)).toMatchObject({ status: "canceled" });
  });

  test("is left alone while its recorder is stopped and does not answer", async () => {
    const here = place();
    const { started, run } = await begun(here);
    started.child.kill("SIGSTOP");
    const verify = await here.harness(["sessions", "verify", "last"]);
    expect(verify).toMatchObject({ code: 3, stderr: expect.stringContaining(`Process ${started.pid} is still writing`) });
    started.child.kill("SIGCONT");
    started.child.kill("SIGINT");
    await started.done;
    expect((await expectSealed(run.paths.directory)).repairs).toBeUndefined();
  });

  test("of several processes that open a crashed run, one completes it, the others wait and see it sealed", async () => {
    const here = place();
    const { started, run } = await begun(here);
    started.child.kill("SIGINT");
    await started.done;
    const crashed = crashedCopy(here, run);
    writeFileSync(crashed.paths.stdout, "a line like any other\n".repeat(10_000)); // takes a while
    for (const path of [crashed.paths.records, crashed.paths.events, crashed.paths.session]) truncateSync(path);
    const all = await Promise.all(Array.from({ length: 5 }, () => here.harness(["sessions", "show", crashed.manifest.id])));
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(all.filter(({ stderr }) => stderr.includes(COMPLETED))).toHaveLength(1);
    expect(all.filter(({ stderr }) => stderr === "")).toHaveLength(4);
    expect(new Set(all.map(({ stdout }) => stdout)).size).toBe(1);
    expect(JSON.parse(all[0]?.stdout ?? "").sealed).toMatchObject({ status: "crashed", records: 10_001 });
    await expectSealed(crashed.paths.directory);
    expect(leftovers(crashed.paths.directory)).toEqual([]);
  });

  test("a process that completes it and is too busy to answer is waited for, not taken for its recorder", async () => {
    const here = place();
    const { started, run } = await begun(here);
    started.child.kill("SIGINT");
    await started.done;
    const crashed = crashedCopy(here, run);
    const busy = start(program(COMPLETER), { args: [crashed.paths.directory] });
    expect(await busy.answer()).toBe("locked");
    await busy.kill("SIGSTOP"); // accepts connections and never answers
    const show = here.harness(["sessions", "show", crashed.manifest.id]);
    const isWaiting = await Promise.race([show.then(() => false), pause(4000, true)]); // a recorder is given up after 1.5 seconds
    await busy.kill("SIGKILL");
    expect(isWaiting).toBe(true);
    expect(await show).toMatchObject({ code: 0, stderr: expect.stringContaining(COMPLETED) });
    await expectSealed(crashed.paths.directory);
  });
});

describe("case 43: the lock of a dead process", () => {
  test("kill -9 frees it, many times in a row; nothing piles up", async () => {
    const here = place();
    for (let round = 0; round < 4; round++) {
      const { started, run } = await begun(here);
      started.child.kill("SIGKILL");
      await started.done;
      expect(leftovers(run.paths.directory)).toContainEqual(expect.stringMatching(/^lock\./));
      const list = await here.harness(["sessions", "list", "--limit", "1"]);
      expect(list.stderr).toContain(`the run ${run.manifest.id} ${COMPLETED}`);
      expect(JSON.parse(list.stdout)).toMatchObject({ id: run.manifest.id, status: "crashed" });
      await expectSealed(run.paths.directory);
      expect(leftovers(run.paths.directory)).toEqual([]);
      expect(processesOf(run.manifest)).toEqual([]);
    }
    const again = await here.harness(["sessions", "list"]);
    expect(again.stderr).toBe("");
    expect(readdirSync(here.runs).filter((name) => name.startsWith("."))).toEqual([]);
  });
});
