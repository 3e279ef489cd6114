import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { bytesOf, textOf } from "../../../src/host/workspace/byte-path.ts";
import { compare } from "../../../src/host/workspace/compare.ts";
import { copyTree } from "../../../src/host/workspace/copy-tree.ts";
import { descend } from "../../../src/host/workspace/descent.ts";
import type { Entry } from "../../../src/host/workspace/manifest.ts";
import { entriesOf } from "../../../src/host/workspace/manifest-file.ts";
import { openObjects, type Pending } from "../../../src/host/workspace/objects.ts";
import { patch } from "../../../src/host/workspace/patch.ts";
import { rebuild } from "../../../src/host/workspace/rebuild.ts";
import { removeTree } from "../../../src/host/workspace/remove-tree.ts";
import { snapshot } from "../../../src/host/workspace/snapshot.ts";
import { cleanUp, program, unprivilegedUser } from "../files/child.ts";
import { git, malicious, maliciousRepository } from "./malicious.ts";
import { seen, sorted, temporary } from "./trees.ts";

afterAll(cleanUp);

/** Runs every workspace operation once. */
async function everything(workspace: string, base: string, change: () => void = () => {}): Promise<{ before: Entry[]; after: Entry[] }> {
  const objects = openObjects(join(base, "objects"));
  const before = await snapshot(workspace, { to: join(base, "before.jsonl"), keep: objects });
  change();
  const after = await snapshot(workspace, { to: join(base, "after.jsonl"), keep: objects });
  await patch(compare(before, after, { objects }), objects, { to: join(base, "fs_diff.patch") });
  await rebuild(after, objects, join(base, "rebuilt"));
  await copyTree(workspace, join(base, "copied"));
  objects.close();
  return { before: [...entriesOf(before)], after: [...entriesOf(after)] };
}

const entry = (entries: readonly Entry[], path: string): Entry | undefined => entries.find((one) => one.path === path);
describe("a malicious repository", () => {
  test.each(Object.keys(malicious))("%s: nothing runs, nothing is hidden", async (name) => {
    const base = temporary();
    const { ws, canary } = maliciousRepository(base, name);
    const { before, after } = await everything(ws, base, () => writeFileSync(join(ws, "file.txt"), "two\n"));
    expect(existsSync(canary)).toBe(false);
    expect(before.length).toBe(seen(ws).length);
    expect(entry(after, "file.txt")?.sha256).not.toBe(entry(before, "file.txt")?.sha256);
    expect(readFileSync(join(base, "fs_diff.patch"), "utf8")).toContain("-one\n+two\n");
    expect(sorted(seen(join(base, "rebuilt")))).toEqual(sorted(seen(ws)));
    expect(sorted(seen(join(base, "copied")))).toEqual(sorted(seen(ws)));
  });

  test("leaves paths that git rejects out of the patch, and reports them", async () => {
    const base = temporary();
    const objects = openObjects(join(base, "objects"));
    mkdirSync(join(base, "ws"));
    const before = await snapshot(join(base, "ws"), { to: join(base, "before.jsonl"), keep: objects });
    for (const name of ["git~1", ".GIT", "fine"]) writeFileSync(join(base, "ws", name), "x\n");
    mkdirSync(join(base, "ws/.git"));
    writeFileSync(join(base, "ws/.git/config"), "x\n");
    symlinkSync("x", join(base, "ws/.gitmodules"));
    const after = await snapshot(join(base, "ws"), { to: join(base, "after.jsonl"), keep: objects });
    const comparison = compare(before, after);
    const written = await patch(comparison, objects, { to: join(base, "fs_diff.patch") });
    objects.close();
    expect(comparison.counts.added).toBe(6);
    expect(written.leftOut.map(({ path }) => path).sort()).toEqual([".GIT", ".gitmodules", "git~1"]);
    mkdirSync(join(base, "scratch"));
    git(join(base, "scratch"), "apply", join(base, "fs_diff.patch"));
    expect(readdirSync(join(base, "scratch"))).toEqual(["fine"]);
  });
});

describe("links", () => {
  test("are stored as texts and never followed", async () => {
    const base = temporary();
    const ws = join(base, "ws");
    const outside = join(base, "outside");
    mkdirSync(join(ws, "deep"), { recursive: true });
    mkdirSync(outside);
    writeFileSync(join(outside, "secret"), "CANARY-CONTENT\n");
    symlinkSync(outside, join(ws, "hop"));
    symlinkSync(join(outside, "secret"), join(ws, "deep/secret"));
    symlinkSync("/dev/zero", join(ws, "zero"));
    symlinkSync("/proc/self", join(ws, "proc"));
    symlinkSync(".", join(ws, "circle"));
    const { after } = await everything(ws, base);
    expect(entry(after, "hop")).toEqual({ path: "hop", type: "link", link: outside });
    expect(after).toHaveLength(6);
    const found = spawnSync("grep", ["-r", "--exclude-dir=outside", "CANARY-CONTENT", base], { encoding: "utf8" });
    expect(found.stdout).toBe("");
    await removeTree(ws);
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("CANARY-CONTENT\n");
  });

  test("a hard link is a file with several names, and the entry says so", async () => {
    const base = temporary();
    mkdirSync(join(base, "ws"));
    writeFileSync(join(base, "ws/a"), "x");
    linkSync(join(base, "ws/a"), join(base, "ws/b"));
    const { after } = await everything(join(base, "ws"), base);
    expect(after.map(({ names }) => names)).toEqual([2, 2]);
  });

  test("a forged manifest writes nothing outside", async () => {
    const base = temporary();
    const outside = join(base, "outside");
    mkdirSync(outside);
    mkdirSync(join(base, "ws"));
    writeFileSync(join(base, "ws/x"), "x");
    const objects = openObjects(join(base, "objects"));
    const real = await snapshot(join(base, "ws"), { to: join(base, "real.jsonl"), keep: objects });
    const [file] = entriesOf(real);
    const forged = ["../outside/a", "/outside/b", "./c", "d//e", "hop/f", `hop/../../outside/g`, "x\0y"];
    const lines = readFileSync(real.path, "utf8").trimEnd().split("\n");
    lines.splice(
      1,
      1,
      JSON.stringify({ path: "hop", type: "link", link: outside }),
      ...forged.map((path) => JSON.stringify({ ...file, path })),
    );
    writeFileSync(join(base, "forged.jsonl"), `${lines.join("\n")}\n`);
    const { made, notMade } = await rebuild({ ...real, path: join(base, "forged.jsonl") }, objects, join(base, "rebuilt"));
    objects.close();
    expect(made).toBe(1);
    expect(notMade.map(({ path }) => path)).toEqual(forged);
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe("a hostile tree", () => {
  test("pipes, sockets and devices are named and never opened", async () => {
    const base = temporary();
    const ws = join(base, "ws");
    mkdirSync(ws);
    for (const name of ["f1", "f2", "f3", "f4", "f5"]) execFileSync("mkfifo", [join(ws, name)]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(ws, "socket"), resolve));
    onTestFinished(() => void server.close());
    const hasDevice = spawnSync("mknod", [join(ws, "zero"), "c", "1", "5"]).status === 0;
    writeFileSync(join(ws, "file"), "x");
    const { after } = await everything(ws, base);
    const types = Object.fromEntries(after.map(({ path, type }) => [path, type]));
    expect(types).toEqual({
      file: "file",
      ...Object.fromEntries(["f1", "f2", "f3", "f4", "f5"].map((name) => [name, "fifo"])),
      socket: "socket",
      ...(hasDevice && { zero: "character-device" }),
    });
    expect(readdirSync(join(base, "rebuilt"))).toEqual(["file"]);
    expect(readdirSync(join(base, "copied"))).toEqual(["file"]);
  });

  test("a sparse terabyte is listed but not read; touching it is noticed", async () => {
    const base = temporary();
    const ws = join(base, "ws");
    mkdirSync(ws);
    for (const name of ["same", "touched"]) {
      writeFileSync(join(ws, name), "");
      truncateSync(join(ws, name), 2 ** 40);
    }
    const before = await snapshot(ws, { to: join(base, "before.jsonl") });
    expect(before.end.skipped).toEqual([
      { path: "same", reason: "file-budget" },
      { path: "touched", reason: "file-budget" },
    ]);
    const fd = openSync(join(ws, "touched"), constants.O_WRONLY);
    writeSync(fd, "x", 5);
    closeSync(fd);
    const after = await snapshot(ws, { to: join(base, "after.jsonl") });
    const { changes, untouched } = compare(before, after);
    expect(changes.map(({ kind, path }) => [kind, path])).toEqual([["unknown", "touched"]]);
    expect(untouched).toBe(1);
  });

  test.each([false, true])("names that are not UTF-8 stay distinct (by path: %s)", async (byPath) => {
    const base = temporary();
    const ws = join(base, "ws");
    mkdirSync(ws);
    const names = [Buffer.of(0x61, 0xff), Buffer.of(0x61, 0xfe), Buffer.from("a\uFFFD"), Buffer.of(0xed, 0xb2, 0x80)];
    for (const name of names) writeFileSync(Buffer.concat([Buffer.from(`${ws}/`), name]), "x");
    const manifest = await snapshot(ws, { to: join(base, "m.jsonl"), byPath });
    const found = [...entriesOf(manifest)].map(({ path }) => bytesOf(path).toString("hex"));
    expect(found.sort()).toEqual(names.map((name) => name.toString("hex")).sort());
    for (const name of names) expect(bytesOf(textOf(name)).equals(name)).toBe(true);
    await copyTree(ws, join(base, "copied"), { byPath });
    expect(sorted(seen(join(base, "copied")))).toEqual(sorted(seen(ws)));
    expect(await removeTree(ws)).toEqual([]);
    expect(existsSync(ws)).toBe(false);
  });

  test("a path of 12 KB is listed, kept, rebuilt, copied and removed", async () => {
    const base = temporary();
    const ws = join(base, "ws");
    mkdirSync(ws);
    chain(ws, 60, "d".repeat(200));
    const { after } = await everything(ws, base);
    const last = after.at(-1);
    expect(last?.path.length).toBe(60 * 201 + 4);
    expect(last?.type).toBe("file");
    for (const name of ["rebuilt", "copied"]) {
      const again = await snapshot(join(base, name), { to: join(base, `${name}.jsonl`) });
      expect([...entriesOf(again)].at(-1)?.sha256).toBe(last?.sha256);
      expect(await removeTree(join(base, name))).toEqual([]);
    }
    expect(await removeTree(ws)).toEqual([]);
    expect(existsSync(ws)).toBe(false);
  });

  test("an endless chain of directories is cut at a path of 16 KB, and removed completely", async () => {
    const base = temporary();
    const ws = join(base, "ws");
    mkdirSync(ws);
    chain(ws, 300, "e".repeat(100));
    const manifest = await snapshot(ws, { to: join(base, "m.jsonl") });
    expect(manifest.end.skipped.map(({ reason }) => reason)).toEqual(["depth-budget"]);
    expect(await removeTree(ws)).toEqual([]);
  });

  test("a directory that no one may enter is reported, and removed by its owner", () => {
    const base = temporary();
    chmodSync(base, 0o777);
    const file = program(`
      import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
      import { removeTree } from "../../../src/host/workspace/remove-tree.ts";
      import { snapshot } from "../../../src/host/workspace/snapshot.ts";
      const ws = "${base}/ws";
      mkdirSync(ws + "/shut/inner", { recursive: true });
      writeFileSync(ws + "/shut/inner/f", "x");
      writeFileSync(ws + "/unreadable", "x");
      for (const path of ["shut/inner/f", "shut/inner", "shut", "unreadable"]) chmodSync(ws + "/" + path, 0);
      const { end } = await snapshot(ws, { to: "${base}/m.jsonl" });
      console.log(JSON.stringify({ skipped: end.skipped, left: await removeTree(ws) }));
    `);
    const uid = unprivilegedUser();
    if (uid === undefined && process.getuid?.() === 0) return; // only root is here, and root may do everything
    const { stdout } = spawnSync(process.execPath, [file], { encoding: "utf8", ...(uid !== undefined && { uid, gid: uid }) });
    expect(JSON.parse(stdout)).toEqual({
      skipped: [
        { path: "shut", reason: "denied" },
        { path: "unreadable", reason: "denied" },
      ],
      left: [],
    });
    expect(existsSync(join(base, "ws"))).toBe(false);
  });

  test("neither enters nor removes what is mounted inside", () => {
    const base = temporary();
    mkdirSync(join(base, "ws/mo unt"), { recursive: true });
    mkdirSync(join(base, "outside"));
    writeFileSync(join(base, "outside/precious"), "x");
    const file = program(`
      import { removeTree } from "../../../src/host/workspace/remove-tree.ts";
      import { snapshot } from "../../../src/host/workspace/snapshot.ts";
      const { end } = await snapshot("${base}/ws", { to: "${base}/m.jsonl" });
      console.log(JSON.stringify({ skipped: end.skipped, left: (await removeTree("${base}/ws")).map(({ path }) => path) }));
    `);
    const script = `mount --bind '${base}/outside' '${base}/ws/mo unt' && exec '${process.execPath}' '${file}'`;
    const { stdout, status } = spawnSync("unshare", ["-m", "sh", "-c", script], { encoding: "utf8" });
    if (status !== 0) return; // only root can mount, and not everywhere
    expect(JSON.parse(stdout)).toEqual({ skipped: [{ path: "mo unt", reason: "mount" }], left: ["mo unt", ""] });
    expect(readdirSync(join(base, "outside"))).toEqual(["precious"]);
  });

  test("budgets: stops at its limits of entries, bytes and time, and does not call the rest deleted", async () => {
    const base = temporary();
    const ws = join(base, "ws");
    for (let d = 0; d < 5; d++) {
      mkdirSync(join(ws, `d${d}`), { recursive: true });
      for (let f = 0; f < 20; f++) writeFileSync(join(ws, `d${d}/f${f}`), "0123456789");
    }
    const whole = await snapshot(ws, { to: join(base, "whole.jsonl") });
    const few = await snapshot(ws, { to: join(base, "few.jsonl"), limits: { entries: 30 } });
    expect(few.end).toMatchObject({ entries: 30, unlisted: 4 });
    expect(compare(whole, few).counts).toMatchObject({ deleted: 0, unknown: 75 });
    expect(compare(few, whole).counts).toMatchObject({ added: 0, unknown: 75 });
    const bytes = await snapshot(ws, { to: join(base, "bytes.jsonl"), limits: { bytes: 500 } });
    expect(bytes.end).toMatchObject({ entries: 105, unread: 50, bytes: 500 });
    const none = await snapshot(ws, { to: join(base, "none.jsonl"), limits: { milliseconds: 0 } });
    expect(none.end).toMatchObject({ entries: 5, unlisted: 5 });
    const objects = openObjects(join(base, "objects"), { bytes: 5 });
    const unkept = await snapshot(ws, { to: join(base, "unkept.jsonl"), keep: objects });
    expect(unkept.end).toMatchObject({ unkept: 100, unread: 0 });
    objects.close();
  });

  test.each([
    ["grows", (path: string) => appendFileSync(path, "more")],
    ["shrinks", (path: string) => truncateSync(path, 10)],
    ["is written over", (path: string) => writeFileSync(path, "other", { flag: "r+" })],
  ])("flags a file that %s while it is read", async (_, disturb) => {
    const base = temporary();
    const file = join(base, "ws/file");
    mkdirSync(join(base, "ws"));
    writeFileSync(file, Buffer.alloc(3_000_000, "x"));
    utimesSync(file, 1, 1);
    const objects = openObjects(join(base, "objects"));
    const begin = (): Pending => {
      disturb(file); // after its first piece was read
      return objects.begin();
    };
    const manifest = await snapshot(join(base, "ws"), { to: join(base, "m.jsonl"), keep: { ...objects, begin } });
    expect([...entriesOf(manifest)]).toMatchObject([{ path: "file", changing: true }]);
    const { notMade } = await rebuild(manifest, objects, join(base, "rebuilt"));
    expect(notMade).toEqual([]); // the stored contents are those that were read
    objects.close();
  });

  test("reads a file that keeps growing only up to its size at the start", async () => {
    const base = temporary();
    const file = join(base, "ws/log");
    mkdirSync(join(base, "ws"));
    writeFileSync(file, "");
    const writer = spawn("sh", ["-c", `while :; do echo more; done >> '${file}'`], { stdio: "ignore" });
    onTestFinished(() => void writer.kill("SIGKILL"));
    while (statSync(file).size === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const { end } = await snapshot(join(base, "ws"), { to: join(base, "m.jsonl") });
    expect(end).toMatchObject({ entries: 1, unread: 0 });
  });
});

/** Nested directories, deeper than any path reaches. */
function chain(root: string, depth: number, name: string): void {
  const descent = descend(root);
  for (let count = 0; count < depth; count++) {
    mkdirSync(descent.at(name));
    descent.enter(name);
  }
  writeFileSync(descent.at("file"), "at the end");
  descent.close();
}
