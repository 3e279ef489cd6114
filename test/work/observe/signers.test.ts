import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TAR_END, tarHeader, tarPadding } from "../../../src/work/observe/tar.ts";
import { cleanUp, LONG_MS, type Place, place } from "../../support/place.ts";
import { cleanUpFolders, folder, script } from "./support.ts";

afterAll(cleanUp);
afterAll(cleanUpFolders);

const hasSsh = spawnSync("ssh-keygen", ["-Y", "check-novalidate"], { stdio: "ignore" }).error === undefined;
const GENERIC = ["--agent", "generic", "--command", "echo hi"];

interface Found {
  readonly code: number | null;
  readonly stderr: string;
  readonly ok?: boolean;
  readonly signer?: string;
  readonly unchecked?: readonly string[];
  readonly flaws?: readonly { readonly file: string; readonly problem: string }[];
}

async function verified(where: Place, target: string, args: readonly string[] = []): Promise<Found> {
  const { code, stdout, stderr } = await where.harness(["verify", target, ...args]);
  return { code, stderr, ...(stdout === "" ? {} : (JSON.parse(stdout) as object)) };
}

let keys = "";
let mine: readonly string[] = [];
let none: readonly string[] = [];

describe.runIf(hasSsh)("signers", () => {
  beforeAll(() => {
    keys = folder();
    for (const name of ["mine", "other"]) spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", join(keys, name)]);
    writeFileSync(
      join(keys, "signers"),
      ["mine", "other"].map((name) => `${name}@example.org ${readFileSync(join(keys, `${name}.pub`), "utf8")}`).join(""),
    );
    writeFileSync(join(keys, "nobody"), "");
    mine = ["--allowed-signers", join(keys, "signers")];
    none = ["--allowed-signers", join(keys, "nobody")];
  });

  test("any run can be signed: run --sign", { timeout: 2 * LONG_MS }, async () => {
    const where = place();
    expect(await where.run([...GENERIC, "--sign", join(keys, "mine")])).toMatchObject({ code: 0 });
    expect(await verified(where, "last", mine)).toMatchObject({ code: 0, ok: true, signer: "mine@example.org" });
    expect(await verified(where, "last")).toMatchObject({ code: 0, unchecked: [expect.stringContaining("--allowed-signers")] });
    expect(await verified(where, "last", none)).toMatchObject({ code: 1, flaws: [{ file: "run.json" }] });
    const bundle = join(folder(), "b.tar");
    await where.harness(["bundle", "last", "-o", bundle]);
    expect(await verified(place(), bundle, mine)).toMatchObject({ code: 0, signer: "mine@example.org" });
  });

  test.each(["capture", "trials"])("any run can be signed: %s --sign", { timeout: 4 * LONG_MS }, async (command) => {
    const where = place();
    const cases = join(folder(), "cases.jsonl");
    writeFileSync(cases, '{"id":"a","input":"Go."}\n{"id":"b","input":"Go."}\n');
    const more = command === "trials" ? ["-k", "1"] : [];
    const ended = await where.harness([command, cases, ...GENERIC, ...more, "--sign", join(keys, "mine"), "-o", join(folder(), "r.jsonl")]);
    expect(ended).toMatchObject({ code: 0 });
    const runs = where.recordings();
    expect(runs).toHaveLength(2);
    for (const { id } of runs) expect(await verified(where, id, mine), id).toMatchObject({ code: 0, signer: "mine@example.org" });
    const bad = await where.harness([command, cases, ...GENERIC, ...more, "--sign", join(keys, "gone")]);
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining("Key not found") });
    expect(where.recordings()).toHaveLength(2);
  });

  test("J1: demanding a signer fails without a verified signature over this run", { timeout: 4 * LONG_MS }, async () => {
    const where = place();
    await where.run(GENERIC);
    const plain = join(folder(), "plain.tar");
    await where.harness(["bundle", "last", "-o", plain]);
    for (const allowed of [mine, none]) {
      expect(await verified(where, "last", allowed)).toMatchObject({ code: 1, ok: false, flaws: [{ problem: "it is not signed" }] });
      expect(await verified(place(), plain, allowed)).toMatchObject({ code: 1, ok: false });
    }
    const observed = place();
    const out = join(folder(), "out");
    await observed.harness(["observe", ...GENERIC, "--prompt", "Go.", "--out", out, "--sign", join(keys, "mine")]);
    const whole = join(folder(), "whole.tar");
    await observed.harness(["bundle", "last", "-o", whole]);
    expect(await verified(place(), whole, mine)).toMatchObject({ code: 0, signer: "mine@example.org" });
    const stripped = join(folder(), "stripped.tar");
    writeFileSync(stripped, withoutOut(readFileSync(whole)));
    for (const allowed of [mine, none]) expect(await verified(place(), stripped, allowed)).toMatchObject({ code: 1, ok: false });
    expect(await verified(place(), stripped, [...mine, "--signed", "run"])).toMatchObject({ code: 0, signer: "mine@example.org" });
    const events = join(folder(), "events.jsonl");
    cpSync(join(out, "events.jsonl"), events);
    expect(await verified(observed, events, mine)).toMatchObject({ code: 1, flaws: [{ problem: expect.stringContaining("signature") }] });
    renameSync(out, `${out}-moved`);
    expect(await verified(observed, "last", mine)).toMatchObject({
      code: 1,
      flaws: [{ file: "seal.json", problem: expect.stringContaining("not here") }],
    });
    expect(await verified(observed, `${out}-moved`, mine)).toMatchObject({ code: 0, signer: "mine@example.org" });
  });

  test("the policy fails closed: only the named signer, only what was named, and no misspelled policy", {
    timeout: 4 * LONG_MS,
  }, async () => {
    const where = place();
    await where.run([...GENERIC, "--sign", join(keys, "mine")]);
    expect(await verified(where, "last", [...mine, "--signer", "mine@example.org"])).toMatchObject({ code: 0 });
    expect(await verified(where, "last", [...mine, "--signer", "other@example.org"])).toMatchObject({
      code: 1,
      flaws: [{ problem: "it was not signed by other@example.org" }],
    });
    expect(await verified(where, "last", [...mine, "--signed", "observation"])).toMatchObject({ code: 1, flaws: [{ file: "seal.json" }] });
    for (const [args, message] of [
      [["--signer", "mine@example.org"], "--allowed-signers"],
      [["--signed", "run"], "--allowed-signers"],
      [[...mine, "--signed", "runs"], '"runs"'],
    ] as const)
      expect(await verified(where, "last", args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  test("a signature over another run does not count, and a damaged one is a flaw without --allowed-signers (J18)", {
    timeout: 4 * LONG_MS,
  }, async () => {
    const where = place();
    await where.run([...GENERIC, "--sign", join(keys, "mine")]);
    await where.run([...GENERIC, "--sign", join(keys, "mine")]);
    const [one, two] = where.recordings();
    const signature = join(one?.directory ?? "", "run.json.sig");
    const good = readFileSync(signature, "utf8");
    const problem = expect.stringContaining("signature is damaged");
    for (const bad of [readFileSync(join(two?.directory ?? "", "run.json.sig"), "utf8"), good.replace(/[A-Z]{3}/, "xyz"), ""]) {
      writeFileSync(signature, bad);
      for (const args of [[], mine])
        expect(await verified(where, one?.id ?? "", args)).toMatchObject({ code: 1, flaws: [{ file: "run.json", problem }] });
    }
    writeFileSync(signature, good);
    expect(await verified(where, one?.id ?? "", mine)).toMatchObject({ code: 0 });
  });

  test("J17: a key that others can read is rejected in one sentence", { timeout: LONG_MS }, async () => {
    const where = place();
    chmodSync(join(keys, "other"), 0o644);
    const { code, stderr } = await where.run([...GENERIC, "--sign", join(keys, "other")]);
    chmodSync(join(keys, "other"), 0o600);
    expect(code).toBe(2);
    expect(stderr).not.toContain("@@@");
    expect(stderr).toContain("its permissions 0644 let others read it. Run: chmod 600");
    expect(where.recordings()).toEqual([]);
  });
});

test("J18: bundle takes what verify takes, and overwrites with --force", { timeout: 4 * LONG_MS }, async () => {
  const where = place();
  const out = join(folder(), "out");
  await where.harness(["observe", ...GENERIC, "--prompt", "Go.", "--out", out]);
  const id = where.recording().id;
  const bundle = join(folder(), "b.tar");
  await where.harness(["bundle", "last", "-o", bundle]);
  const bytes = readFileSync(bundle);
  for (const name of [out, join(out, "events.jsonl"), id]) {
    expect(await where.harness(["bundle", name, "-o", bundle, "--force"]), name).toMatchObject({ code: 0 });
    expect(readFileSync(bundle).equals(bytes), name).toBe(true);
  }
  expect(await where.harness(["bundle", bundle])).toMatchObject({ code: 2, stderr: expect.stringContaining("already is a bundle") });
  expect(existsSync(`${bundle}.part`)).toBe(false);
});

test("J18: gzip and zip are named", { timeout: LONG_MS }, async () => {
  const where = place();
  const base = folder();
  writeFileSync(join(base, "b.tar.gz"), gzipSync("x"));
  writeFileSync(join(base, "b.zip"), "PK\x03\x04rest");
  for (const [name, kind] of [
    ["b.tar.gz", "gzip"],
    ["b.zip", "zip"],
  ] as const)
    expect(await verified(where, join(base, name))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`is compressed with ${kind}`),
    });
});

test("S10: one run's files under another run's name are not that run", { timeout: 4 * LONG_MS }, async () => {
  const where = place();
  await where.run(GENERIC);
  await where.run(["--agent", "generic", "--command", script(folder(), "echo two")]);
  const [a, b] = where.recordings();
  if (a === undefined || b === undefined) throw new Error("two runs");
  rmSync(a.directory, { recursive: true });
  cpSync(b.directory, a.directory, { recursive: true });
  for (const suffix of ["ndjson", "meta.json"])
    cpSync(join(where.sessions, `${b.id}.${suffix}`), join(where.sessions, `${a.id}.${suffix}`));
  expect(await verified(where, a.id)).toMatchObject({
    code: 1,
    flaws: [{ file: "run.json", problem: `this is the run ${b.id}, not ${a.id}` }],
  });
  expect(await verified(where, a.directory)).toMatchObject({ code: 1 });
  expect(await verified(where, b.id)).toMatchObject({ code: 0 });
  const copy = join(folder(), "runs", "copy");
  cpSync(b.directory, copy, { recursive: true });
  expect((await verified(where, copy)).flaws?.some(({ problem }) => problem.startsWith("this is the run"))).toBe(false); // a name that claims nothing
});

/** The archive without the files of the observation. */
function withoutOut(archive: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; archive[at] !== 0; ) {
    const name = archive.toString("latin1", at, archive.indexOf(0, at));
    const size = Number.parseInt(archive.toString("latin1", at + 124, at + 135), 8);
    const contents = archive.subarray(at + 512, at + 512 + size);
    if (!name.startsWith("out/")) kept.push(tarHeader({ name, size }), contents, tarPadding(size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return Buffer.concat([...kept, TAR_END]);
}
