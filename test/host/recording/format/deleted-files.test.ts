import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cleanUp, jsonLines, type Place, place, processesOf, type Started } from "../../../support/place.ts";
import { expectSealed, type OnDisk, onDisk, textOf } from "./support/recorded.ts";

/** Case 46: somebody deletes files of a run while it goes on. */

const TICKS = `sh ${join(import.meta.dirname, "support/ticks.sh")}`;

afterAll(cleanUp);

async function begun(here: Place): Promise<{ started: Started; run: OnDisk }> {
  const started = here.start(["run", "--prompt", "Go.", "--agent", "generic", "--command", TICKS]);
  await started.printed('"text":"x');
  return { started, run: onDisk(here.recordings()[0]?.directory ?? "") };
}

describe.concurrent("case 46: files of the run are deleted by another process", () => {
  test.each(["stdout", "stderr", "records", "events", "session", "prompt", "manifest"] as const)(
    "%s: noticed, the agent is stopped, what was open is restored, and the run is no success",
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
      const told = jsonLines(stdout).filter(({ type }) => type === "Message").length;
      expect(raw.split("\n").length).toBeGreaterThanOrEqual(told);
      expect(
        jsonLines(textOf(paths.records)).some((record) => (record["body"] as { code?: string } | undefined)?.code === "evidence-lost"),
      ).toBe(true);
    },
  );

  test("the directory is moved away: nothing is lost there, and it is completed where it is put back", async () => {
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

  test("something else is put in the place of the output: it is kept, and not taken for it", async () => {
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
