import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readManifest } from "../../../src/host/recording/format/read-manifest.ts";
import { sessionPaths } from "../../../src/host/recording/format/run-paths.ts";
import { isObject, type JsonObject } from "../../../src/pure/base/json.ts";
import { verify } from "../../../src/work/observe/verify/verify.ts";
import { unpackBundle, writeBundle } from "../../../src/work/observe/write-bundle.ts";
import { LONG_MS } from "../../support/place.ts";
import { cleanUpFolders, folder, type Observation, observe, script } from "./support.ts";

afterAll(cleanUpFolders);

/** Tries every n-th change; HARNESS_TAMPER=1 tries all. */
const STEP = Number(process.env["HARNESS_TAMPER"] ?? 17);

let observation: Observation;
let bundle: string;

beforeAll(async () => {
  const command = script(folder(), "echo two > file; mkdir sub; echo hi; echo no >&2");
  observation = await observe({ command, snapshots: "turns" });
  bundle = join(folder(), "b.tar");
  const { directory, manifest, base, id } = observation;
  writeBundle({ directory, manifest, session: sessionPaths(join(base, "data/sessions"), id) }, bundle);
}, LONG_MS);

const options = (base: string) => ({ dataDirectory: join(base, "data") });
const elsewhere = options("/does/not/exist");

test("a file that is not JSON is broken evidence; a name that leads nowhere is not evidence", async () => {
  const file = join(folder(), "notes.txt");
  writeFileSync(file, "hello\n");
  expect(await verify(file, elsewhere)).toMatchObject({ ok: false, flaws: [{ file: "notes.txt" }] });
  await expect(verify(`${file}.gone`, elsewhere)).rejects.toMatchObject({ name: "HarnessError" });
});

describe("every change in an observation is found", () => {
  test("with its recording: any field, line or byte of any file", { timeout: 4 * LONG_MS }, async () => {
    const { out, base } = observation;
    expect(await verify(out, options(base))).toMatchObject({ ok: true, unchecked: [] });
    let tried = 0;
    for (const path of [...filesIn(out), ...filesIn(join(base, "data"))]) {
      if (path.startsWith(join(out, "workspace"))) continue; // the manifest covers it
      if (path === join(base, "data/order")) continue; // only says which run is the last
      const good = readFileSync(path);
      for (const [name, text] of changesOf(path, good)) {
        if (tried++ % STEP !== 0 || good.equals(Buffer.from(text))) continue;
        writeFileSync(path, text);
        const { ok, flaws } = await verify(out, options(base));
        expect({ ok, some: flaws.length > 0 }, `${basename(path)}: ${name}`).toEqual({ ok: false, some: true });
      }
      writeFileSync(path, good);
    }
    expect(tried).toBeGreaterThan(3000);
    expect(await verify(out, options(base))).toMatchObject({ ok: true });
  });

  test("without its recording: everything except a seal that is equally valid", { timeout: 4 * LONG_MS }, async () => {
    const { out } = observation;
    const seal = join(out, "seal.json");
    const good = readFileSync(seal, "utf8");
    const [first] = Object.keys((JSON.parse(good) as { files: object }).files).filter((name) => name.includes("manifest"));
    const changes: readonly (readonly [string, string])[] = [
      ["a different run", good.replace(/"run_id": "\d/, '"run_id": "9')],
      ["no hash", good.replace(/"head": "[0-9a-f]/, '"head": "x')],
      ["a size", good.replace(/"bytes": \d/, '"bytes": 99')],
      ["a repeated key", good.replace("{", '{\n  "run_id": "x",')],
      ["a missing file", JSON.stringify(without(good, first ?? ""), null, 2)],
      ["blanks", ` ${good}`],
    ];
    for (const [name, text] of changes) {
      writeFileSync(seal, text);
      expect(await verify(out, elsewhere), name).toMatchObject({ ok: false, flaws: [{ file: expect.any(String) }] });
    }
    writeFileSync(seal, good);
    expect(await verify(out, elsewhere)).toMatchObject({ ok: true, unchecked: [expect.stringContaining("recording")] });
  });

  test("unsealed files, and entries that are not files", { timeout: 2 * LONG_MS }, async () => {
    const { out, base, directory } = observation;
    for (const [root, more] of [
      [out, "artifacts/more.txt"],
      [directory, "artifacts/more.txt"],
    ] as const) {
      writeFileSync(join(root, more), "x");
      expect(await verify(out, options(base))).toMatchObject({ ok: false, flaws: [{ file: more }] });
      rmSync(join(root, more));
    }
    const paths = [...filesIn(out), ...filesIn(directory)].filter((path) => !path.startsWith(join(out, "workspace")));
    for (const path of paths.filter((each) => basename(each) !== "run.json")) {
      const aside = `${base}/aside`;
      renameSync(path, aside);
      for (const put of [() => symlinkSync(aside, path), () => mkdirSync(path), () => execFileSync("mkfifo", [path])]) {
        put();
        const { ok, flaws } = await verify(out, options(base));
        expect({ ok, some: flaws.length > 0 }, path).toEqual({ ok: false, some: true });
        rmSync(path, { recursive: true });
      }
      renameSync(aside, path);
    }
    expect(await verify(out, options(base))).toMatchObject({ ok: true });
  });
});

describe("the path from the user", () => {
  test("may be a link: to an observation, to its events, to a bundle", { timeout: LONG_MS }, async () => {
    const { out, base } = observation;
    const links = folder();
    symlinkSync(out, join(links, "out"));
    symlinkSync(join(out, "events.jsonl"), join(links, "e"));
    symlinkSync(bundle, join(links, "b"));
    symlinkSync(join(links, "nowhere"), join(links, "lost"));
    for (const name of ["out", "out/", "e", "b"])
      expect(await verify(`${links}/${name}`, options(base)), name).toMatchObject({ ok: true, unchecked: [] });
    await expect(verify(join(links, "lost"), options(base))).rejects.toThrow("is a broken link");
    execFileSync("mkfifo", [join(links, "pipe")]);
    await expect(verify(join(links, "pipe"), options(base))).rejects.toThrow("neither a file nor a directory");
  });
});

describe("every change in a bundle is found", () => {
  test("in each byte of a header, after each file, and after the last one", { timeout: 2 * LONG_MS }, () => {
    const good = readFileSync(bundle);
    const [size] = sizesIn(good);
    const behind = 512 + (size ?? 0);
    const places = [...Array(512).keys(), behind, 511 + Math.ceil(behind / 512) * 512 - 512, good.length - 1, good.length - 1000];
    expect(flawIn(good)).toBeUndefined();
    for (const at of places) {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] ?? 0) ^ 1;
      expect(flawIn(bad), `byte ${at}`).toBeDefined();
    }
    for (const length of [0, 511, 512, 700, good.length - 1, good.length - 512, good.length - 1024])
      expect(flawIn(good.subarray(0, length)), `${length} bytes`).toBeDefined();
    expect(flawIn(Buffer.concat([good, Buffer.from("x")]))).toEqual({
      offset: good.length - 1024,
      problem: "its end is not as we write it",
    });
    expect(flawIn(Buffer.concat([good, Buffer.alloc(512)]))).toBeDefined();
    expect(flawIn(Buffer.concat([good.subarray(0, -1024), good]))?.problem).toContain("appears twice");
  });

  test("its files in a different order, a missing one, an invalid description", { timeout: 2 * LONG_MS }, async () => {
    const good = readFileSync(bundle);
    const files = filesOf(good);
    const end = good.subarray(-1024);
    const [first, second] = files;
    if (first === undefined || second === undefined) throw new Error("no files");
    expect(flawIn(Buffer.concat([second, first, ...files.slice(2), end]))?.problem).toContain("order");
    for (const index of files.keys()) {
      const path = join(folder(), "less.tar");
      writeFileSync(path, Buffer.concat([...files.filter((_, at) => at !== index), end]));
      expect(await verify(path, elsewhere), `without file ${index}`).toMatchObject({ target: "bundle", ok: false });
    }
    const path = join(folder(), "damaged.tar");
    const text = Buffer.from(good);
    text.write("xxxx", text.indexOf('"startedAt"') + 1);
    writeFileSync(path, text);
    expect(await verify(path, elsewhere)).toMatchObject({
      ok: false,
      flaws: expect.arrayContaining([{ file: "run.json", problem: expect.stringContaining("damaged") }]),
    });
  });
});

describe("a run with a changed description", () => {
  test("damaged, or with an unknown agent, is not what was sealed", { timeout: LONG_MS }, async () => {
    const { out, base, directory } = observation;
    const copy = folder();
    cpSync(join(base, "data"), join(copy, "data"), { recursive: true });
    const path = join(copy, "data/runs", basename(directory), "run.json");
    const good = readFileSync(path, "utf8");
    for (const text of [good.replace('"generic"', '"generix"'), good.replace('"id"', '"idd"'), "", good.replace("{", '{\n  "id": "x",')]) {
      writeFileSync(path, text);
      expect(await verify(out, options(copy)), text.slice(0, 200)).toMatchObject({
        ok: false,
        flaws: expect.arrayContaining([{ file: "run.json", problem: expect.any(String) }]),
      });
    }
    expect(readManifest(join(directory, "run.json")).id).toBe(observation.id);
  });
});

test("a bundle that cannot be written completely leaves no file", () => {
  const { directory, manifest } = observation;
  const to = join(folder(), "half.tar");
  const session = { stream: "/does/not/exist", meta: "/does/not/exist" };
  expect(() => writeBundle({ directory, manifest, session }, to)).toThrow("is missing");
  expect(existsSync(to)).toBe(false);
});

function flawIn(bytes: Buffer) {
  const path = join(folder(), "b.tar");
  writeFileSync(path, bytes);
  return unpackBundle(path, folder()).flaw;
}

function sizesIn(archive: Buffer): readonly number[] {
  return filesOf(archive).map((file) => Number.parseInt(file.toString("latin1", 124, 135), 8));
}

/** Header, contents and padding of each file. */
function filesOf(archive: Buffer): readonly Buffer[] {
  const files: Buffer[] = [];
  for (let at = 0; archive[at] !== 0; ) {
    const size = Number.parseInt(archive.toString("latin1", at + 124, at + 135), 8);
    const end = at + 512 + Math.ceil(size / 512) * 512;
    files.push(archive.subarray(at, end));
    at = end;
  }
  return files;
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function without(text: string, file: string): unknown {
  const value = JSON.parse(text) as { files: Record<string, unknown> };
  const { [file]: _, ...files } = value.files;
  return { ...value, files };
}

/** Every possible change to a file, one at a time. */
function* changesOf(path: string, bytes: Buffer): Generator<readonly [string, string | Buffer]> {
  const text = bytes.toString("utf8");
  if (path.endsWith(".json")) for (const [name, value] of changesIn(JSON.parse(text))) yield [name, `${JSON.stringify(value, null, 2)}\n`];
  if (/(?:jsonl|ndjson)$/.test(path) && text.startsWith("{")) {
    const lines = text.split(/(?<=\n)/);
    for (const [index, line] of lines.entries()) {
      const put = (...instead: readonly string[]) => [...lines.slice(0, index), ...instead, ...lines.slice(index + 1)].join("");
      for (const [name, value] of changesIn(JSON.parse(line))) yield [`line ${index + 1}: ${name}`, put(`${JSON.stringify(value)}\n`)];
      yield [`line ${index + 1} is gone`, put()];
      yield [`line ${index + 1} twice`, put(line, line)];
      yield [`line ${index + 1} with a blank`, put(line.replace("{", "{ "))];
      yield [`line ${index + 1} with a key twice`, put(line.replace("{", '{"seq":1,"event_id":"x",'))];
    }
    yield ["carriage returns", text.replaceAll("\n", "\r\n")];
  }
  for (const at of [0, bytes.length >> 2, bytes.length >> 1, bytes.length - 1]) {
    const flipped = Buffer.from(bytes);
    if (at in flipped) flipped[at] = (flipped[at] ?? 0) ^ 1;
    yield [`byte ${at}`, flipped];
    yield [`only ${at} bytes`, bytes.subarray(0, Math.max(0, at))];
  }
  yield ["a line more", `${text}\n`];
  yield ["blank before", ` ${text}`];
}

/** A value with one field removed, added or changed. */
function* changesIn(value: unknown): Generator<readonly [string, unknown]> {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      yield [`${index} is gone`, value.toSpliced(index, 1)];
      for (const [name, other] of changesIn(each)) yield [`${index}.${name}`, value.with(index, other)];
    }
    yield ["one more", [...value, "x"]];
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const { [key]: old, ...rest } = value as JsonObject;
      yield [`${key} is gone`, rest];
      for (const [name, other] of changesIn(old)) yield [`${key}.${name}`, { ...value, [key]: other }];
    }
    yield ["one more", { ...value, more: 1 }];
  } else if (typeof value === "string") for (const other of [`${value}x`, "", null, 7]) yield [`= ${other}`, other];
  else if (typeof value === "number") for (const other of [value + 1, null, `${value}`]) yield [`= ${other}`, other];
  else yield ["= x", "x"];
}
