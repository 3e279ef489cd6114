import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Comparison, compare, topChanges } from "../../../src/host/workspace/compare.ts";
import { copyTree } from "../../../src/host/workspace/copy-tree.ts";
import type { Manifest } from "../../../src/host/workspace/manifest.ts";
import { entriesOf, openManifest } from "../../../src/host/workspace/manifest-file.ts";
import { openObjects } from "../../../src/host/workspace/objects.ts";
import { rebuild } from "../../../src/host/workspace/rebuild.ts";
import { snapshot } from "../../../src/host/workspace/snapshot.ts";
import { walk } from "../../../src/host/workspace/walk.ts";
import { lineDiff } from "../../../src/pure/base/line-diff.ts";
import { temporary } from "./trees.ts";

const text = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join("");

function workspace(): { base: string; ws: string; at: (name: string) => string } {
  const base = temporary();
  const ws = join(base, "ws");
  mkdirSync(join(ws, "src"), { recursive: true });
  return { base, ws, at: (name) => join(ws, name) };
}

const kinds = ({ changes }: Comparison): unknown[] =>
  changes.map(({ kind, path, from }) => [kind, path, ...(from === undefined ? [] : [from])]);

describe("a comparison", () => {
  test("reports every kind of change once", async () => {
    const { base, ws, at } = workspace();
    for (const name of ["same", "edited", "gone", "chmodded", "becomes-link", "src/moved", "src/rewritten"])
      writeFileSync(at(name), text + name);
    writeFileSync(at("gone"), "unlike all the others");
    mkdirSync(at("empty"));
    const objects = openObjects(join(base, "objects"));
    const before = await snapshot(ws, { to: join(base, "before.jsonl"), keep: objects });
    writeFileSync(at("edited"), "other");
    rmSync(at("gone"));
    chmodSync(at("chmodded"), 0o755);
    rmSync(at("becomes-link"));
    symlinkSync("same", at("becomes-link"));
    renameSync(at("src/moved"), at("moved"));
    renameSync(at("src/rewritten"), at("written-anew"));
    appendFileSync(at("written-anew"), "one more line\n");
    rmSync(at("empty"), { recursive: true });
    writeFileSync(at("new"), "new");
    mkdirSync(at(".git"));
    writeFileSync(at(".git/config"), "x");
    const after = await snapshot(ws, { to: join(base, "after.jsonl"), keep: objects });
    const comparison = compare(before, after, { objects });
    objects.close();
    expect(kinds(comparison)).toEqual([
      ["added", ".git"],
      ["added", ".git/config"],
      ["type", "becomes-link"],
      ["mode", "chmodded"],
      ["modified", "edited"],
      ["deleted", "empty"],
      ["deleted", "gone"],
      ["renamed", "moved", "src/moved"],
      ["added", "new"],
      ["renamed", "written-anew", "src/rewritten"],
    ]);
    expect(comparison.counts).toEqual({ added: 3, modified: 1, deleted: 2, renamed: 2, mode: 1, type: 1, unknown: 0 });
    const { total, top } = topChanges(comparison, 8);
    expect(total).toBe(10);
    expect(top.map(({ path }) => path)).not.toContain(".git/config");
  });

  test("pairs equal files by name first, and never pairs empty files", async () => {
    const { base, ws, at } = workspace();
    for (const name of ["src/a", "src/b"]) writeFileSync(at(name), "alike");
    writeFileSync(at("empty"), "");
    const before = await snapshot(ws, { to: join(base, "before.jsonl") });
    mkdirSync(at("lib"));
    renameSync(at("src/b"), at("lib/b"));
    renameSync(at("src/a"), at("lib/c"));
    renameSync(at("empty"), at("void"));
    const after = await snapshot(ws, { to: join(base, "after.jsonl") });
    expect(kinds(compare(before, after))).toEqual([
      ["deleted", "empty"],
      ["added", "lib"],
      ["renamed", "lib/b", "src/b"],
      ["renamed", "lib/c", "src/a"],
      ["added", "void"],
    ]);
  });

  test("is sorted, whatever the names are", async () => {
    const { base, ws, at } = workspace();
    for (const name of ["a", "a.b", "a0", "a-"]) mkdirSync(at(name));
    for (const name of ["a/x", "a.b/x", "a0/x", "a-/x", "a-z"]) writeFileSync(at(name), name);
    const before = await snapshot(ws, { to: join(base, "before.jsonl") });
    const after = await snapshot(ws, { to: join(base, "after.jsonl") });
    expect(compare(before, after).changes).toEqual([]);
    rmSync(at("a/x"));
    expect(kinds(compare(before, await snapshot(ws, { to: join(base, "last.jsonl") })))).toEqual([["deleted", "a/x"]]);
  });

  test("requires the same rules on both sides", async () => {
    const { base, ws, at } = workspace();
    mkdirSync(at("node_modules"));
    writeFileSync(at("node_modules/x"), "x");
    writeFileSync(at("src/kept.log"), "x");
    writeFileSync(at("src/keep.txt"), "x");
    const all = await snapshot(ws, { to: join(base, "all.jsonl") });
    const some = await snapshot(ws, { to: join(base, "some.jsonl"), ignore: ["node_modules", "src/*.log"] });
    expect([...entriesOf(some)].map(({ path }) => path)).toEqual(["src", "src/keep.txt"]);
    expect(some.end.ignored).toBe(2);
    expect(() => compare(all, some)).toThrow("The two snapshots have different ignore rules. Take both with the same `ignore`.");
  });
});

describe("kept contents", () => {
  test("are private, stored once, even across openings, and never the agent's own files", async () => {
    const { base, ws, at } = workspace();
    const directory = join(base, "objects");
    writeFileSync(at("a"), text);
    writeFileSync(at("b"), text);
    writeFileSync(at("large"), Buffer.alloc(3_000_000, "x"));
    writeFileSync(at("large-too"), Buffer.alloc(3_000_000, "x"));
    const manifests: Manifest[] = [];
    for (const name of ["first", "second"]) {
      const objects = openObjects(directory);
      manifests.push(await snapshot(ws, { to: join(base, `${name}.jsonl`), keep: objects }));
      objects.close();
    }
    const stored = readdirSync(directory).map((name) => statSync(join(directory, name)));
    expect(stored.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(3_000_000 + text.length + 1000);
    expect(stored.map(({ mode, nlink }) => [mode & 0o777, nlink])).toEqual([
      [0o600, 1],
      [0o600, 1],
    ]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(manifests[0]?.end.digest).toBe(manifests[1]?.end.digest);
  });

  test("may consist of empty files only", async () => {
    const { base, ws, at } = workspace();
    writeFileSync(at("empty"), "");
    const objects = openObjects(join(base, "objects"));
    const manifest = await snapshot(ws, { to: join(base, "m.jsonl"), keep: objects });
    objects.close();
    const again = openObjects(join(base, "objects"));
    expect(await rebuild(manifest, again, join(base, "rebuilt"))).toEqual({ made: 2, notMade: [] });
    again.close();
  });

  test("are rejected if damaged, and so is a manifest that was cut off", async () => {
    const { base, ws, at } = workspace();
    writeFileSync(at("a"), text);
    const directory = join(base, "objects");
    const objects = openObjects(directory);
    const manifest = await snapshot(ws, { to: join(base, "m.jsonl"), keep: objects });
    objects.close();
    const pack = readdirSync(directory).find((name) => name.endsWith(".pack")) ?? "";
    writeFileSync(join(directory, pack), readFileSync(join(directory, pack), "utf8").replace("line 3", "line 4"));
    const damaged = openObjects(directory);
    await expect(rebuild(manifest, damaged, join(base, "rebuilt"))).rejects.toThrow(/are damaged\.$/);
    damaged.close();
    const whole = readFileSync(manifest.path);
    for (const length of [0, 10, whole.length - 1, whole.length - 40]) {
      writeFileSync(join(base, "cut.jsonl"), whole.subarray(0, length));
      expect(() => openManifest(join(base, "cut.jsonl"))).toThrow(/is damaged or cut off\. Take the snapshot again|has no last line/);
    }
    expect(openManifest(manifest.path)).toEqual(manifest);
  });

  test("never overwrite anything", async () => {
    const { base, ws, at } = workspace();
    writeFileSync(at("a"), text);
    await expect(copyTree(ws, ws)).rejects.toThrow(/is not empty\. Choose an empty or a new one/);
    await expect(snapshot(join(base, "nowhere"), { to: join(base, "m.jsonl") })).rejects.toThrow(/there is no such directory/);
    await snapshot(ws, { to: join(base, "m.jsonl") });
    await expect(snapshot(ws, { to: join(base, "m.jsonl") })).rejects.toThrow(/it already exists/);
    expect(readdirSync(base).sort()).toEqual(["m.jsonl", "ws"]);
  });

  test("a copy can be stopped halfway", async () => {
    const base = temporary();
    mkdirSync(join(base, "from"));
    for (const name of ["a", "b"]) writeFileSync(join(base, "from", name), name);
    await expect(copyTree(join(base, "from"), join(base, "into"), { signal: AbortSignal.abort() })).rejects.toThrow(
      /^Cannot copy .*aborted/,
    );
    expect(readdirSync(join(base, "into"))).toHaveLength(1);
  });
});

test("a walk reports that its directory was moved away, and shows nothing from elsewhere", () => {
  const { base, ws } = workspace();
  const deep = Array.from({ length: 40 }, (_, index) => `d${index}`).join("/");
  mkdirSync(join(ws, deep), { recursive: true });
  mkdirSync(join(base, "outside/other"), { recursive: true });
  writeFileSync(join(base, "outside/other/secret"), "x");
  writeFileSync(join(ws, "z-last"), "x");
  const steps: string[] = [];
  for (const step of walk(ws)) {
    steps.push(`${step.step} ${step.path}`);
    if (step.step === "enter" && step.path === deep) renameSync(join(ws, "d0/d1"), join(base, "outside/d1"));
  }
  expect(steps.at(-1)).toMatch(/^lost /);
  expect(steps.join()).not.toContain("secret");
});

test("a diff is minimal line by line, or one replacement if the files differ too much", () => {
  expect(lineDiff(["a", "b", "c", "d"], ["a", "x", "c", "y", "d"])).toEqual([
    { a: 1, aEnd: 2, b: 1, bEnd: 2 },
    { a: 3, aEnd: 3, b: 3, bEnd: 4 },
  ]);
  const many = (sign: string): string[] => Array.from({ length: 5000 }, (_, index) => `${sign}${index}`);
  expect(lineDiff(["same", ...many("a")], ["same", ...many("b")])).toEqual([{ a: 1, aEnd: 5001, b: 1, bEnd: 5001 }]);
});

test("S1: a manifest whose first line is longer than 64 KiB can be opened", async () => {
  const { base, ws } = workspace();
  const ignore = Array.from({ length: 10_000 }, (_, index) => `ignored-${index}`);
  const { path } = await snapshot(ws, { to: join(base, "seen.jsonl"), ignore });
  expect(openManifest(path).ignore).toEqual(ignore);
});
