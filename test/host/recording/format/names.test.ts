import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dataDirectoryAt } from "../../../../src/host/recording/format/data-directory.ts";
import { findOwnRun, findRun, lookUp, runIds } from "../../../../src/host/recording/format/find-run.ts";
import { HarnessError } from "../../../../src/pure/base/errors.ts";
import { cleanUp, inParallel, type Place, place } from "../../../support/place.ts";
import { sealedCopy } from "./support/crashed.ts";
import { filesHolding, type OnDisk, onDisk } from "./support/recorded.ts";

/** Case 48: the name of a run as a path. */

let here: Place;
let run: OnDisk;

afterAll(cleanUp);
beforeAll(async () => {
  here = place();
  await here.run(["--agent", "generic", "--command", "echo hi"]);
  run = onDisk(here.recording().directory);
  mkdirSync(join(here.runs, "not-a-run"));
});

const names = [
  "",
  " ",
  ".",
  "..",
  "/",
  "../../x",
  "../sessions",
  "a/b",
  "a\\b",
  "-rf",
  ".hidden",
  "CON",
  "not-a-run",
  "a\nb",
  "a\u0000b",
  "%2e%2e%2f",
  "*",
  "~",
  "last/..",
  "/etc",
  "/etc/passwd",
  "2026\u2010\u20111115", // look like hyphens
  "a".repeat(300),
  "a".repeat(5000),
  "__proto__",
];

describe("case 48: an invalid name", () => {
  test.each(names)("%j finds nothing", (name) => {
    const data = dataDirectoryAt(here.root);
    expect(lookUp(data, name)).toBeUndefined();
    for (const find of [findRun, findOwnRun]) expect(() => find(data, name)).toThrow(HarnessError);
  });

  const commands = [["derive"], ["replay"], ["sessions", "show"], ["sessions", "verify"], ["sessions", "path"], ["sessions", "rm"]];
  const some = ["../../x", "..", "a".repeat(5000), "", "%2e%2e%2f"];

  test("every command rejects it with one sentence and exit code 2; nothing is touched", async () => {
    const before = filesHolding(join(here.root, ".."), "");
    const calls = commands.flatMap((command) => some.map((name) => [...command, "--", name]));
    await inParallel(4, calls, async (args) => {
      const { code, stdout, stderr } = await here.harness(args, { cwd: here.runs });
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: "" });
      expect(stderr).toMatch(/^harness: .+\.\n$/);
    });
    expect(filesHolding(join(here.root, ".."), "")).toEqual(before);
  });
});

describe("case 48: a valid name", () => {
  test("is an id, a unique prefix or suffix, last, or the directory", () => {
    const data = dataDirectoryAt(here.root);
    const { id } = run.manifest;
    const { directory } = run.paths;
    expect(runIds(data)).toEqual([id]);
    for (const name of [id, id.slice(0, 12), id.slice(-6), "last", directory, `${directory}/`]) {
      expect(findRun(data, name), name).toBe(directory);
      expect(findOwnRun(data, name), name).toBe(directory);
    }
  });

  test("a run outside can be read but not deleted; nor can one behind a link, or a directory that only looks like one", () => {
    const there = place();
    const data = dataDirectoryAt(there.root);
    const outside = sealedCopy(place(), run).paths.directory;
    expect(findRun(data, outside)).toBe(outside);
    expect(() => findOwnRun(data, outside)).toThrow(`${outside} is not in ${there.runs}`);
    mkdirSync(there.runs, { recursive: true });
    symlinkSync(outside, join(there.runs, basename(outside)));
    expect(() => findOwnRun(data, basename(outside))).toThrow(`is not in ${there.runs}`);
    writeFileSync(join(there.root, "run.json"), "{}");
    expect(() => findOwnRun(data, there.root)).toThrow(`is not in ${there.runs}`);
  });

  test("of two runs in the same second, the later one is last", async () => {
    const there = place();
    for (let i = 0; i < 4; i++) {
      await there.run(["--agent", "generic", "--command", "true", "--name", String(i)]);
      const { stdout } = await there.harness(["sessions", "show", "last"]);
      expect(JSON.parse(stdout).name).toBe(String(i));
    }
    expect(readdirSync(there.runs)).toHaveLength(4);
  });
});
