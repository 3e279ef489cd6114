import * as crypto from "node:crypto";
import * as files from "node:fs";
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { buildSync } from "esbuild";
import { describe, expect, onTestFinished, test } from "vitest";
import { ALONE, type BatchRingOptions, batchRing } from "../../../src/host/workspace/batch-ring.ts";
import { batchThread } from "../../../src/host/workspace/batch-thread.ts";
import { LINUX } from "../../../src/host/workspace/descent.ts";
import { fileBatch, foundIn, HEAD, readFiles, STATE } from "../../../src/host/workspace/file-batch.ts";
import { entriesOf } from "../../../src/host/workspace/manifest-file.ts";
import { openObjects } from "../../../src/host/workspace/objects.ts";
import { PIECE } from "../../../src/host/workspace/read-regular.ts";
import { snapshot } from "../../../src/host/workspace/snapshot.ts";
import { temporary } from "./trees.ts";

const sha256 = (bytes: string | Buffer): string => crypto.createHash("sha256").update(bytes).digest("hex");

/** Older than a clock tick, so that nothing has to be read twice. */
const LONG_AGO_MS = 250;

describe("a tree that several threads read", () => {
  /** Every path with what a plain loop finds there, in the manifest's order. */
  function bare(folder: string, prefix = ""): unknown[] {
    return readdirSync(folder)
      .sort((a, b) => (a < b ? -1 : 1))
      .flatMap((name) => {
        const [at, path] = [join(folder, name), prefix + name];
        const stats = lstatSync(at);
        if (stats.isDirectory()) return [{ path, type: "directory" }, ...bare(at, `${path}/`)];
        if (stats.isSymbolicLink()) return [{ path, type: "link", link: readlinkSync(at) }];
        return [{ path, type: "file", size: stats.size, mtime: stats.mtimeMs, sha256: sha256(readFileSync(at)) }];
      });
  }

  async function planted(): Promise<{ base: string; ws: string }> {
    const base = temporary();
    const ws = join(base, "ws");
    for (let folder = 0; folder < 45; folder++) {
      mkdirSync(join(ws, `d${folder % 9}/e${folder}`), { recursive: true });
      const at = (name: string) => join(ws, `d${folder % 9}/e${folder}`, name);
      for (let file = 0; file < 70; file++) writeFileSync(at(`f${file}`), `${folder} ${file % 50}\n`.repeat((file * 37) % 400));
      symlinkSync(`f${folder}`, at("link"));
      linkSync(at("f1"), at("hard"));
      if (folder % 20 === 0) writeFileSync(at("large"), Buffer.alloc(PIECE + folder, folder));
      if (folder % 20 === 1) writeFileSync(at("exact"), Buffer.alloc(PIECE, folder));
    }
    await sleep(LONG_AGO_MS);
    return { base, ws };
  }

  test.each([
    ["through descriptors", false],
    ["by paths", true],
  ])("matches what a plain loop finds, in order, %s", async (_, byPath) => {
    const { base, ws } = await planted();
    const expected = bare(ws);
    expect(expected.length).toBeGreaterThan(1.5 * ALONE);
    const seen = await snapshot(ws, { to: join(base, "seen.jsonl"), byPath });
    expect(
      [...entriesOf(seen)].map(({ path, type, link, size, mtime, sha256: hash }) =>
        cleaned({ path, type, link, size, mtime, sha256: hash }),
      ),
    ).toEqual(expected);
    const objects = openObjects(join(base, "objects"));
    const kept = await snapshot(ws, { to: join(base, "kept.jsonl"), keep: objects, byPath });
    expect(kept.end).toEqual(seen.end);
    for (const entry of entriesOf(kept))
      if (entry.sha256 !== undefined)
        expect(sha256(Buffer.concat([...objects.read(entry.sha256)].map((piece) => Buffer.from(piece))))).toBe(entry.sha256);
    objects.close();
  });

  test("stops at its budget", async () => {
    const { base, ws } = await planted();
    const whole = await snapshot(ws, { to: join(base, "whole.jsonl") });
    const half = await snapshot(ws, { to: join(base, "half.jsonl"), limits: { bytes: Math.floor(whole.end.bytes / 2) } });
    expect(half.end.entries).toBe(whole.end.entries);
    expect(half.end.bytes).toBeLessThanOrEqual(whole.end.bytes / 2);
    expect(half.end.unread).toBeGreaterThan(500);
    const small = await snapshot(ws, { to: join(base, "small.jsonl"), limits: { fileBytes: 100 } });
    for (const { size, sha256: hash, unread, type } of entriesOf(small))
      if (type === "file")
        expect([hash === undefined, unread]).toEqual(size !== undefined && size > 100 ? [true, "file-budget"] : [false, undefined]);
    const objects = openObjects(join(base, "objects"), { bytes: 10_000 });
    const unkept = await snapshot(ws, { to: join(base, "unkept.jsonl"), keep: objects });
    expect(unkept.end.digest).not.toBe("");
    expect(unkept.end.unkept).toBeGreaterThan(500);
    objects.close();
  });
});

test("stops if contents cannot be stored: nothing stays open, and nothing is left", async () => {
  const base = temporary();
  for (let folder = 0; folder < 100; folder++) {
    mkdirSync(join(base, `ws/${folder}/a/b`), { recursive: true });
    writeFileSync(join(base, `ws/${folder}/a/b/file`), String(folder));
  }
  const objects = openObjects(join(base, "objects"));
  onTestFinished(() => objects.close());
  let room = 3;
  const add: typeof objects.add = (bytes, contents) => {
    if (room-- === 0) throw new Error("the disk is full");
    return objects.add(bytes, contents);
  };
  const to = join(base, "m.jsonl");
  await expect(snapshot(join(base, "ws"), { to, keep: { ...objects, add } })).rejects.toThrow("the disk is full");
  expect(existsSync(to)).toBe(false);
  if (LINUX) expect(readdirSync("/proc/self/fd").filter((fd) => openIn(base, fd))).toEqual([]);
});

/** Whether this descriptor belongs to a file in that folder. Packs do not count. */
function openIn(base: string, fd: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).startsWith(join(base, "ws"));
  } catch {
    return false;
  }
}

const cleaned = (entry: object): object => Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));

describe("a thread that reads", () => {
  /** As in the package: its text must not depend on anything around it. */
  async function bundled(): Promise<typeof batchThread> {
    const file = join(temporary(), "thread.mjs");
    const entry = new URL("../../../src/host/workspace/batch-thread.ts", import.meta.url).pathname;
    buildSync({ entryPoints: [entry], outfile: file, bundle: true, minify: true, platform: "node", format: "esm", logLevel: "error" });
    return ((await import(pathToFileURL(file).href)) as { batchThread: typeof batchThread }).batchThread;
  }

  test.each([
    ["in the source", async () => batchThread],
    ["in a bundle", bundled],
  ])("reads regular files and leaves everything else to others, %s", async (_, startOf) => {
    const start = await startOf();
    const base = temporary();
    writeFileSync(join(base, "a"), "hello");
    writeFileSync(join(base, "ä\nb"), "");
    symlinkSync("a", join(base, "link"));
    await sleep(LONG_AGO_MS);
    const paths = ["a", "ä\nb", "link", "absent", "."].map((name) => join(base, name));
    const batch = fileBatch();
    batch.head[HEAD.files] = paths.length;
    batch.head[HEAD.names] = Buffer.from(batch.names.buffer).write(paths.join("\0"));
    batch.head[HEAD.keeps] = 1;
    batch.head[HEAD.state] = STATE.ready;
    const thread = start({ signal: new Int32Array(new SharedArrayBuffer(8)), batches: [batch] });
    onTestFinished(() => void thread?.end());
    await expect.poll(() => batch.head[HEAD.state]).toBe(STATE.done);
    const found = foundIn(batch);
    expect(paths.map((_, file) => found(file)?.size)).toEqual([5, 0, undefined, undefined, undefined]);
    expect(found(0)).toMatchObject({ sha256: sha256("hello"), mtimeMs: lstatSync(join(base, "a")).mtimeMs, nlink: 1 });
    expect(found(1)?.sha256).toBe(sha256(""));
    expect(Buffer.from(batch.bytes.buffer, 0, 5).toString()).toBe("hello");
  });

  test("leaves a file that was just touched to others, whatever its times say", () => {
    const path = join(temporary(), "young");
    const batch = fileBatch();
    let begun: number;
    do {
      begun = Date.now();
      writeFileSync(path, "just written");
      utimesSync(path, 1, 1);
      readFiles(batch, [path], files, crypto);
    } while (Date.now() - begun > 50); // the machine was busy
    expect(foundIn(batch)(0)).toBeUndefined();
  });

  const claimsAndDies = `
    const { workerData: { batches } } = require("node:worker_threads");
    for (;;) for (const { head } of batches) if (Atomics.compareExchange(head, 0, 1, 2) === 1) process.exit();
  `;
  test.each<[string, Partial<BatchRingOptions>]>([
    ["is there", {}],
    ["cannot be started", { start: () => undefined }],
    ["never answers", { start: (data) => ({ end: async () => data }) }],
    [
      "claims, and dies",
      {
        patience: 200,
        start(data) {
          const worker = new Worker(claimsAndDies, { eval: true, workerData: data });
          return { end: () => worker.terminate() };
        },
      },
    ],
  ])("changes nothing if it %s", async (_, options) => {
    const base = temporary();
    const paths = Array.from({ length: 1.5 * ALONE }, (_, index) => join(base, String(index)));
    for (const path of paths) writeFileSync(path, path);
    await sleep(LONG_AGO_MS);
    const hashes: (string | undefined)[] = [];
    const ring = batchRing(
      (batch) => {
        const found = foundIn(batch);
        for (let file = 0; file < (batch.head[HEAD.files] ?? 0); file++) hashes.push(found(file)?.sha256);
      },
      { keeps: false, ...options },
    );
    for (const path of paths) if (ring.add(path)) ring.handOut();
    ring.handOut();
    ring.flush();
    await ring.close();
    expect(hashes).toEqual(paths.map(sha256));
  });
});
