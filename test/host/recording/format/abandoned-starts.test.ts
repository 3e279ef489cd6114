import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { acquireLock } from "../../../../src/host/files/lock.ts";
import { removeAbandonedStarts } from "../../../../src/host/recording/format/abandoned-starts.ts";
import { dataDirectoryAt } from "../../../../src/host/recording/format/data-directory.ts";

const root = mkdtempSync(join(tmpdir(), "harness-abandoned-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("removes a start that was killed, but not a recent one, a run, or a foreign directory", async () => {
  const data = dataDirectoryAt(root);
  const old = Date.now() / 1000 - 3600;
  const make = (name: string, when: number) => {
    const path = join(data.runs, name);
    mkdirSync(join(path, "artifacts"), { recursive: true });
    return { path, age: () => utimesSync(path, when, when) };
  };
  const dead = make(".20261115-072930-4f3a9c", old);
  const young = make(".20261115-072930-4f3a9d", Date.now() / 1000);
  const held = make(".20261115-072930-4f3a9e", old);
  const run = make("20261115-072930-4f3a9f", old);
  const foreign = make(".some file", old);
  const lock = await acquireLock(held.path, { command: "a start" });
  for (const { age } of [dead, young, held, run, foreign]) age();
  await removeAbandonedStarts(data);
  expect(existsSync(dead.path)).toBe(false);
  for (const { path } of [young, held, run, foreign]) expect(existsSync(path)).toBe(true);
  await lock.release();
});
