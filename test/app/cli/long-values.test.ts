import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { removeTree } from "../../../src/host/workspace/index.ts";
import { agent, cleanUp, jsonLines, LONG_MS, type Place, place } from "../../support/place.ts";

/** S1: facts longer than 256 KiB, as the program itself writes them. */

afterAll(cleanUp);

const KB = 1024;

/** The run verifies; and again after its recorder was killed before the seal, with nothing set aside. */
async function expectReadable({ recording, harness }: Place, longest: number): Promise<void> {
  const { directory, manifest } = recording();
  const records = readFileSync(join(directory, "records.jsonl"), "utf8").split("\n");
  expect(Math.max(...records.map(({ length }) => length))).toBeGreaterThan(longest);
  expect(await harness(["verify", "last"])).toMatchObject({ code: 0 });
  const before = (await harness(["derive", "last", "--view", "log"])).stdout;
  const { sealed: _1, digest: _2, ...unsealed } = manifest;
  writeFileSync(join(directory, "run.json"), JSON.stringify(unsealed));
  expect(await harness(["verify", "last"])).toMatchObject({ code: 0 });
  expect((await harness(["derive", "last", "--view", "log"])).stdout).toBe(before);
  expect(readdirSync(directory).filter((name) => name.includes(".torn-"))).toEqual([]);
}

describe("S1: a long value survives the round trip", { timeout: 4 * LONG_MS }, () => {
  test("a prompt of 320 KB in an observation", async () => {
    const here = place();
    const prompt = join(dirname(here.root), "prompt.txt");
    mkdirSync(dirname(prompt), { recursive: true });
    writeFileSync(prompt, "é\u2028\u0001x".repeat(64 * KB));
    const out = join(dirname(here.root), "out");
    const args = ["observe", "--agent", "generic", "--command", "sh -c 'cat >/dev/null; echo hi'", "--prompt-file", prompt, "--empty"];
    expect(await here.harness([...args, "--out", out])).toMatchObject({ code: 0 });
    await expectReadable(here, 320 * KB);
  });

  test("long path names in an observation", async () => {
    const here = place();
    const script = `d=$(printf %0200d 0); i=0; while [ $i -lt 60 ]; do mkdir $d; cd $d; i=$((i+1)); done; for i in $(seq 30); do echo > f$i; echo > g$i; done`;
    const out = join(dirname(here.root), "out");
    const args = ["observe", "--agent", "generic", "--command", `sh -c '${script}'`, "--prompt", "Go.", "--empty", "--out", out];
    expect(await here.harness(args)).toMatchObject({ code: 0 });
    await expectReadable(here, 256 * KB);
    await removeTree(join(out, "workspace")); // too deep for rm
  });

  test("the id of an ACP call of 300 KB that was denied", async () => {
    const here = place();
    const args = ["run", "--prompt", "Go.", "--agent", "acp", "--permissions", "read-only", "--", agent("acp.mjs"), "long-id"];
    await here.harness(args);
    await expectReadable(here, 300 * KB);
    const log = jsonLines((await here.harness(["derive", "last", "--view", "log"])).stdout);
    expect(log.filter(({ type }) => type === "permission-decision")).toHaveLength(1);
  });
});
