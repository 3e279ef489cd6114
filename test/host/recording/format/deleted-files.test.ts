import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sample } from "../../../support/full.ts";
import { cleanUp, jsonLines, type Place, place, processesOf, type Started } from "../../../support/place.ts";
import { expectSealed, type OnDisk, onDisk, textOf } from "./support/recorded.ts";

/** Case 46: another process deletes files of a run while it runs. */

const TICKS = `sh ${join(import.meta.dirname, "support/ticks.sh")}`;

afterAll(cleanUp);

async function begun(here: Place): Promise<{ started: Started; run: OnDisk }> {
  const started = here.start(["run", "--prompt", "Go.", "--agent", "generic", "--command", TICKS]);
  await started.printed('"text":"x');
  return { started, run: onDisk(here.recordings()[0]?.directory ?? "") };
}

describe.concurrent("case 46: files of the run are deleted by another process", () => {
  test.each(sample(["stdout", "stderr", "records", "events", "session", "prompt", "manifest"] as const, 3))(
    "%s: noticed, the agent is stopped, open files are restored, and the run is not a success",
    async (file) => {
      const here = place();
      const { started, run } = await begun(here);
      const { paths, manifest } = run;
      const before = textOf(paths.stdout);
      rmSync(paths[file]);
      const { code, stderr, stdout } = await started.done;
      expect({ code, lines: stderr.split("\n").length }).toEqual({ code: 74, lines: 2 });
      expect(stderr).toMatch(/^harness: .*deleted.*\.$/m);
      expect(processesOf(manifest)).toEqual([]);
      await here.harness(["sessions", "list"]);
      const seal = await expectSealed(paths.directory);
      expect(seal.status).toBe("failed");
      const { raw } = onDisk(paths.directory);
      expect(raw.startsWith(before)).toBe(true);
      expect(before.length).toBeGreaterThan(0);
      const shown = jsonLines(stdout).filter(({ type }) => type === "Message").length;
      expect(raw.split("\n").length).toBeGreaterThanOrEqual(shown);
      expect(
        jsonLines(textOf(paths.records)).some((record) => (record["body"] as { code?: string } | undefined)?.code === "evidence-lost"),
      ).toBe(true);
    },
  );

  test("the directory is moved away: nothing is lost, and the run is completed when it is moved back", async () => {
    const here = place();
    const { started, run } = await begun(here);
    const elsewhere = join(here.root, "../elsewhere");
    renameSync(run.paths.directory, elsewhere);
    expect((await started.done).code).toBe(74);
    rmSync(run.paths.directory, { recursive: true, force: true });
    renameSync(elsewhere, run.paths.directory);
    await here.harness(["sessions", "list"]);
    await expectSealed(run.paths.directory);
    expect(onDisk(run.paths.directory).raw).toMatch(/^(x\n){50}/);
  });

  test("a different file replaces the output: it is kept, but not read as output", async () => {
    const here = place();
    const { started, run } = await begun(here);
    rmSync(run.paths.stdout);
    writeFileSync(run.paths.stdout, "not what the agent said\n");
    expect((await started.done).code).toBe(74);
    await here.harness(["sessions", "list"]);
    await expectSealed(run.paths.directory);
    expect(onDisk(run.paths.directory).raw).toMatch(/^(x\n)+$/);
    const others = readdirSync(run.paths.directory).map((name) => join(run.paths.directory, name));
    const kept = others.filter((path) => existsSync(path) && /raw/.test(path) && readFileSync(path, "utf8").startsWith("not what"));
    expect(kept).toHaveLength(1);
  });
});
