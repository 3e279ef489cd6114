import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cleanUp, eventually, expectWhole, jsonLines, type Place, place, type Started } from "../../../support/place.ts";
import { expectSealed } from "./support/recorded.ts";

/** Case 47: other processes read a run while it is written. */

const script = (name: string) => `sh ${join(import.meta.dirname, "support", name)}`;
const FAULTS = join(import.meta.dirname, "support/faults.mjs");

afterAll(cleanUp);

interface Followed {
  readonly here: Place;
  readonly run: Started;
  readonly id: string;
  readonly follow: () => Started;
  /** Lets the agent continue, which waits after its first line. */
  readonly go: () => void;
}

async function begun(agent: string, args: readonly string[], view: readonly string[], fault?: object): Promise<Followed> {
  const here = place();
  const go = join(here.root, "../go");
  const command = [script(agent), go, ...args].join(" ");
  const where = fault === undefined ? {} : { node: ["--import", FAULTS], env: { FAULT: JSON.stringify(fault) } };
  const run = here.start(["run", "--prompt", "Où?", "--agent", "generic", "--command", command, ...view], where);
  await run.printed("ready");
  const id = readdirSync(here.runs).find((name) => !name.startsWith(".")) ?? "";
  const follow = () => here.start(["derive", id, "--follow", ...view]);
  return { here, run, id, follow, go: () => writeFileSync(go, "") };
}

describe("case 47: derive --follow from another process", () => {
  test.each([["stream"], ["activity"], ["log"]])("%s: byte for byte what the run printed, from the start or joining late", async (view) => {
    const { here, run, id, follow, go } = await begun("long-lines.sh", [], ["--view", view]);
    const early = follow();
    await early.printed("ready");
    go();
    await eventually(() => expect(statSync(join(here.runs, id, "raw.jsonl")).size).toBeGreaterThan(1_000_000));
    const late = follow();
    const [live, ...followed] = await Promise.all([run.done, early.done, late.done]);
    const after = await here.harness(["derive", id, "--view", view]);
    expect(live.code).toBe(0);
    expect(live.stdout.length).toBeGreaterThan(view === "activity" ? 500 : 3_000_000);
    for (const { code, stdout, stderr } of [...followed, after]) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout === live.stdout).toBe(true);
    }
  });

  test("without --follow, shows complete records so far and nothing else", async () => {
    const { here, run, go } = await begun("counts.sh", ["10"], ["--view", "stream"]);
    const { code, stdout } = await here.harness(["derive", "last", "--view", "stream"]);
    expect(code).toBe(0);
    expectWhole(jsonLines(stdout));
    expect(stdout).toContain("ready");
    go();
    await run.done;
  });
});

describe("case 47: the recorder is killed while others read", () => {
  /** Each at its own moment: between two writes, and in the middle of one, to each of its files. */
  const faults = Array.from({ length: 6 }, (_, i) => ({ at: 50 + 2 * i, how: i % 2 === 0 ? "torn" : "kill" }));

  test("readers get the repaired rest, then end", async () => {
    await Promise.all(
      faults.map(async (fault) => {
        const { here, run, id, follow, go } = await begun("counts.sh", ["2000"], ["--view", "stream"], fault);
        const followers = [follow(), follow()];
        for (const follower of followers) await follower.printed("ready");
        go();
        const [killed, ...followed] = await Promise.all([run.done, ...followers.map(({ done }) => done)]);
        expect(killed.signal).toBe("SIGKILL");
        await expectSealed(join(here.runs, id));
        const after = await here.harness(["derive", id, "--view", "stream"]);
        const reports = followed.filter(({ stderr }) => stderr.includes("it has now been completed and sealed"));
        expect(reports).toHaveLength(1); // from the process that did it
        for (const { code, stdout } of followed) {
          expect(code).toBe(0);
          expect(stdout).toBe(after.stdout);
          expectWhole(jsonLines(stdout));
          expect(stdout.startsWith(killed.stdout.slice(0, killed.stdout.lastIndexOf("\n") + 1))).toBe(true);
        }
      }),
    );
  });

  test("a stopped recorder is waited for", async () => {
    const { run, follow, go } = await begun("counts.sh", ["200"], ["--view", "stream"]);
    const follower = follow();
    await follower.printed("ready");
    run.child.kill("SIGSTOP");
    go();
    await eventually(() => expect(follower.child.exitCode).toBeNull(), 100);
    run.child.kill("SIGCONT");
    const [live, followed] = await Promise.all([run.done, follower.done]);
    expect(followed).toMatchObject({ code: 0, stdout: live.stdout });
  });
});
