import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openObjects } from "../../../src/host/workspace/index.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "harness-objects-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const contents = Buffer.from("TOKEN=a-secret-0001\n");
const sha256 = createHash("sha256").update(contents).digest("hex");

test("S2: contents that are not shared have no name on disk, so a killed process leaves none", () => {
  const objects = openObjects(join(folder, "private"), { isShared: false });
  expect(objects.add(contents, [{ sha256, length: contents.length }])).toEqual([true]);
  expect(readdirSync(join(folder, "private"))).toEqual([]);
  expect(Buffer.concat([...objects.read(sha256)].map((piece) => Buffer.from(piece)))).toEqual(contents);
  objects.close();
});

test("shared contents have a pack and an index", () => {
  const objects = openObjects(join(folder, "shared"));
  objects.add(contents, [{ sha256, length: contents.length }]);
  objects.close();
  expect(readdirSync(join(folder, "shared")).map((name) => name.slice(name.indexOf(".")))).toEqual([".index", ".pack"]);
});
