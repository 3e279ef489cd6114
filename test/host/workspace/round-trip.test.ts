import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare } from "../../../src/host/workspace/compare.ts";
import { entriesOf, openManifest } from "../../../src/host/workspace/manifest-file.ts";
import { openObjects } from "../../../src/host/workspace/objects.ts";
import { patch } from "../../../src/host/workspace/patch.ts";
import { rebuild } from "../../../src/host/workspace/rebuild.ts";
import { removeTree } from "../../../src/host/workspace/remove-tree.ts";
import { snapshot } from "../../../src/host/workspace/snapshot.ts";
import { beforeAndAfter, type Node, plant, seen, sorted, temporary } from "./trees.ts";

const runs = 60;

describe("a workspace before and after", () => {
  const file = (text: string): Node => ({ file: text, mode: 0o644 });
  const folder = (...nodes: [string, Node][]): Node => ({ tree: new Map(nodes), mode: 0o755 });
  test.each<[string, [string, Node][], [string, Node][], string[]]>([
    ["leads to itself", [["a", { link: "a" }]], [["a", folder(["b", file("1")], ["c", folder(["d", file("2")])])]], ["a/b", "a/c/d"]],
    [
      "leads to a link that leads back",
      [
        ["a", { link: "./x/../b" }],
        ["b", { link: "a/c" }],
        ["x", folder(["y", file("")])],
      ],
      [
        ["a", folder(["f", file("1")])],
        ["b", { link: "a/c" }],
        ["x", folder(["y", file("")])],
      ],
      ["a/f"],
    ],
    [
      "was moved away",
      [["a", { link: "a" }]],
      [
        ["a", folder(["b", file("1")])],
        ["z", { link: "a" }],
      ],
      ["a/b"],
    ],
    ["leads nowhere", [["a", { link: "gone/../a" }]], [["a", folder(["b", file("1")])]], []],
    ["leads out of the tree", [["a", { link: "../a" }]], [["a", folder(["b", file("1")])]], []],
    [
      "leads to a file",
      [
        ["a", { link: "f" }],
        ["f", file("")],
      ],
      [
        ["a", folder(["b", file("1")])],
        ["f", file("")],
      ],
      [],
    ],
    [
      "stays",
      [["a", { link: "a" }]],
      [
        ["a", { link: "a" }],
        ["b", file("1")],
      ],
      [],
    ],
  ])("if a directory replaces a link that %s, the patch has the files that git can create", async (_, before, after, left) => {
    const at = temporary();
    const path = (name: string): string => join(at, name);
    plant(new Map(before), path("before"));
    plant(new Map(after), path("after"));
    const objects = openObjects(path("objects"));
    const old = await snapshot(path("before"), { to: path("before.jsonl"), keep: objects });
    const now = await snapshot(path("after"), { to: path("after.jsonl"), keep: objects });
    const written = await patch(compare(old, now, { objects }), objects, { to: path("fs_diff.patch") });
    objects.close();
    expect(written.leftOut).toEqual(left.map((each) => ({ path: each, reason: "git" })));
    apply(path("before"), path("fs_diff.patch"));
    const made = seen(path("after"), { git: true }).filter((line) => !left.some((each) => line.startsWith(`"${each}" `)));
    expect(sorted(seen(path("before"), { git: true }))).toEqual(sorted(made));
  });

  test("before + fs_diff.patch, applied by git, gives after; both states can be rebuilt", { timeout: 300_000 }, async () => {
    const base = temporary();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(beforeAndAfter, async ([before, after]) => {
        const at = join(base, `${count++}`);
        const path = (name: string): string => join(at, name);
        plant(before, path("before"));
        plant(after, path("after"));
        const objects = openObjects(path("objects"));
        const old = await snapshot(path("before"), { to: path("before.jsonl"), keep: objects });
        const now = await snapshot(path("after"), { to: path("after.jsonl"), keep: objects });
        const comparison = compare(old, now, { objects });
        const written = await patch(comparison, objects, { to: path("fs_diff.patch") });
        expect(written.leftOut.filter(({ path: left }) => !isBehindLoop(path("before"), left))).toEqual([]);
        objects.close();

        plant(before, path("scratch"), { bare: true });
        if (written.bytes > 0) apply(path("scratch"), path("fs_diff.patch"));
        if (written.leftOut.length === 0)
          expect(sorted(seen(path("scratch"), { git: true }))).toEqual(sorted(seen(path("after"), { git: true })));

        const kept = openObjects(path("objects"));
        for (const [name, manifest] of [["before", old] as const, ["after", now] as const]) {
          expect(await rebuild(openManifest(manifest.path), kept, path(`rebuilt-${name}`))).toMatchObject({ notMade: [] });
          expect(sorted(seen(path(`rebuilt-${name}`)))).toEqual(sorted(seen(path(name))));
          const again = await snapshot(path(`rebuilt-${name}`), { to: path(`again-${name}.jsonl`) });
          expect(again.end.digest).toBe(manifest.end.digest);
        }
        kept.close();
        // Nothing is missed: the manifests differ exactly where the trees do.
        expect(comparison.changes.length === 0).toBe(sorted(seen(path("before"))).join() === sorted(seen(path("after"))).join());
        expect([...entriesOf(now)].length).toBe(seen(path("after")).length);
        await removeTree(at);
      }),
      { numRuns: runs },
    );
  });
});

/** If a link leads to itself, git cannot check whether a file behind it exists, and applies nothing. */
function isBehindLoop(root: string, path: string): boolean {
  try {
    lstatSync(join(root, path));
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ELOOP";
  }
}

function apply(cwd: string, file: string): void {
  const env = {
    PATH: process.env["PATH"],
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CEILING_DIRECTORIES: join(cwd, ".."),
  };
  try {
    execFileSync("git", ["apply", "--whitespace=nowarn", file], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    throw new Error(`${error instanceof Error && "stderr" in error ? String(error.stderr) : error}\n${readFileSync(file, "latin1")}`);
  }
}
