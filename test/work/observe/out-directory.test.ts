import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createOut } from "../../../src/work/observe/out-directory.ts";
import { cleanUpFolders, folder } from "./support.ts";

afterAll(cleanUpFolders);

test("creates missing parents, with private permissions", () => {
  const { path, workspace } = createOut(join(folder(), "a/b/c"));
  expect([path, workspace].map((made) => statSync(made).mode & 0o777)).toEqual([0o700, 0o700]);
});

test("rejects a directory that cannot be created or is not empty", () => {
  const base = folder();
  writeFileSync(join(base, "file"), "");
  expect(() => createOut(base)).toThrow(/is not empty, and an observation is never overwritten/);
  expect(() => createOut(join(base, "file/out"))).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/^Cannot create .*\.$/), option: "out" }),
  );
  // Node's own recursive mkdir never returns here.
  if (existsSync("/proc/self")) expect(() => createOut("/proc/nothing/out")).toThrow(/Cannot create/);
});
