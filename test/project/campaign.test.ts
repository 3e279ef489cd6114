import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "../support/harness.ts";

type Check = (subject: object) => void;
const script = (name: string) => import(join(ROOT, "scripts/campaign", name));
const { ofCommand, ofRun, ofStore }: Record<string, Record<string, Check>> = await script("invariants.mjs");
const { canary, output } = (await script("output.mjs")) as {
  canary: (seed: number) => string;
  output: (seed: number) => Iterable<{ fd: 1 | 2; bytes: Buffer }>;
};

const folder = mkdtempSync(join(tmpdir(), "harness-campaign-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A seed whose agent prints something on both streams. */
const seed = Array.from({ length: 500 }, (_, i) => i).find((each) => new Set([...output(each)].map(({ fd }) => fd)).size === 2) ?? 0;

function of(checks: Record<string, Check> | undefined, name: string): Check {
  const check = checks?.[name];
  if (check === undefined) throw new Error(`the campaign has no check "${name}"`);
  return check;
}

function written(change: (bytes: Buffer) => Buffer) {
  for (const [fd, name] of [
    [1, "raw.jsonl"],
    [2, "stderr.log"],
  ] as const) {
    const all = Buffer.concat([...output(seed)].filter((each) => each.fd === fd).map(({ bytes }) => bytes));
    writeFileSync(join(folder, name), fd === 1 ? change(all) : all);
  }
  const notes = join(folder, "notes");
  writeFileSync(notes, [...output(seed)].map(({ fd, bytes }) => `${fd} ${bytes.length}\n`).join(""));
  return { directory: folder, seed, notes, fault: {} };
}

test("the campaign notices a lost and a changed byte", () => {
  const check = of(ofRun, "every byte is there");
  expect(() => check(written((bytes) => bytes))).not.toThrow();
  expect(() => check(written((bytes) => bytes.subarray(0, -1)))).toThrow("were written");
  expect(() => check(written((bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([0])])))).toThrow("differs");
});

test("the campaign notices an undocumented exit code, a stack trace, and a secret", () => {
  const ended = { args: ["run"], code: 0, signal: null, stdout: "", stderr: "", seeds: [seed] };
  for (const check of Object.values(ofCommand ?? {})) expect(() => check(ended)).not.toThrow();
  expect(() => of(ofCommand, "exit code is documented")({ ...ended, code: 70 })).toThrow("70");
  expect(() => of(ofCommand, "exit code is documented")({ ...ended, code: null, signal: "SIGSEGV" })).toThrow("SIGSEGV");
  expect(() => of(ofCommand, "no stack trace")({ ...ended, stderr: "Error\n    at x (/a/b.js:1:2)\n" })).toThrow("stack trace");
  expect(() => of(ofCommand, "no secret is printed")({ ...ended, stdout: canary(seed) })).toThrow("secret");
});

test("the campaign notices a run that is gone, and a secret in the store", () => {
  expect(() => of(ofStore, "only deleted runs are gone")({ runs: folder, known: new Set(["a"]), deleted: new Set(["a"]) })).not.toThrow();
  expect(() => of(ofStore, "only deleted runs are gone")({ runs: folder, known: new Set(["a"]), deleted: new Set() })).toThrow("gone");
  writeFileSync(join(folder, "index"), canary(seed));
  expect(() => of(ofStore, "no secret is kept")({ root: folder, seeds: [seed] })).toThrow("index");
});
