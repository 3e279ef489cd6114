import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTrialHost } from "../../../src/work/evaluate/running/trial-host.ts";

test("S2: what a killed evaluation left of workspaces is removed by the next one, that of a living one is not", () => {
  const root = mkdtempSync(join(tmpdir(), "harness-scratch-"));
  const [dead, alive, elsewhere] = [`${hostname()}-4000000-aaaaaa`, `${hostname()}-${process.ppid}-bbbbbb`, "other-4000000-cccccc"].map(
    (name) => join(root, "evaluations", `scratch-${name}`),
  ) as [string, string, string];
  for (const folder of [dead, alive, elsewhere]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, ".env"), "TOKEN=canary");
  }
  const host = openTrialHost({ dataDirectory: root });
  host.place();
  expect([dead, alive, elsewhere].map((folder) => existsSync(folder))).toEqual([false, true, true]);
  host.close();
  expect(readdirSync(join(root, "evaluations")).filter((name) => name.includes(`-${process.pid}-`))).toEqual([]);
  rmSync(root, { recursive: true, force: true });
});
