import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { snapshot } from "../../../src/host/workspace/snapshot.ts";

const base = mkdtempSync(join(tmpdir(), "harness-times-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

test("a snapshot gives the times of files and directories that programs cannot set", async () => {
  const tree = join(base, "tree");
  mkdirSync(join(tree, "src"), { recursive: true });
  for (let i = 0; i < 40; i++) writeFileSync(join(tree, `src/${i}.js`), `${i}\n`);
  utimesSync(join(tree, "src/7.js"), 1, 1);
  const times = new Map<string, number>();
  await snapshot(tree, { to: join(base, "manifest.jsonl"), onTime: (path, ctime) => void times.set(path, ctime) });
  expect(times.size).toBe(42);
  for (const [path, time] of times) expect(time, path).toBe(statSync(join(tree, path)).ctimeMs);
  expect(times.get("src/7.js")).toBeGreaterThan(1_000_000);
});
