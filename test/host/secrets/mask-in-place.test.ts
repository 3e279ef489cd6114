import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { finishMasking, maskInPlace } from "../../../src/host/secrets/mask-in-place.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "harness-mask-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("maskInPlace", () => {
  test("overwrites ranges within the file and leaves no other file", () => {
    const path = join(folder, "raw");
    writeFileSync(path, "0123456789");
    const fd = openSync(path, "r+");
    const masks = maskInPlace(fd, path);
    masks.overwrite([{ start: 2, end: 4 }]);
    masks.overwrite([
      { start: -3, end: 1 },
      { start: 8, end: 20 },
      { start: 30, end: 40 },
    ]);
    masks.overwrite([{ start: -9, end: -2 }]);
    masks.overwrite([]);
    masks.close();
    masks.close();
    closeSync(fd);
    expect(readFileSync(path, "utf8")).toBe("*1**4567**");
    expect(readdirSync(folder)).toEqual(["raw"]);
  });

  test.each([
    ["2 6\n", "01****6789", 1],
    ["8 20\n", "01234567**", 1],
    ["2 6", "0123456789", 0],
    ["", "0123456789", 0],
    ["6 2\n", "0123456789", 1],
    ["2 6\n2 6\n", "0123456789", 0],
    ["0 1 2 6 9 12\n", "*1****678*", 3],
    ["0 1 2 6 9 1", "0123456789", 0],
    ["0 1 2\n", "0123456789", 0],
    ["-2 6\n", "0123456789", 0],
  ])("finishes what a killed process had begun: %j", (intent, text, count) => {
    const path = join(folder, "left");
    writeFileSync(path, "0123456789");
    writeFileSync(`${path}.masking`, intent);
    expect(finishMasking(path)).toBe(count);
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(finishMasking(path)).toBe(0);
  });
});
