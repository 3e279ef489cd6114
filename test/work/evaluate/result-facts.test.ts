import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { TABLE } from "../../../src/host/prices/index.ts";
import { cleanUp, directory, harness, jsonLines, ROOT } from "../../support/harness.ts";

/** What a result line says about its trial, with recordings of real CLIs as agents. */

afterAll(cleanUp);

async function evaluated(fixture: string, like: string): Promise<Record<string, unknown>> {
  const folder = directory();
  const at = (name: string) => join(folder, name);
  writeFileSync(at("cases.jsonl"), '{"id":"a","input":"x"}\n');
  const env = { XDG_DATA_HOME: at("data"), XDG_CONFIG_HOME: at("config") };
  const agent = ["--agent", "generic", "--like", like, "--command", `cat ${join(ROOT, "fixtures", fixture, "raw.jsonl")}`];
  const { code, stdout, stderr } = await harness(
    ["capture", at("cases.jsonl"), ...agent, "-g", "regex:/./", "--sample", "1", "--seed", "7"],
    { env },
  );
  expect(stderr).not.toContain("harness: Error");
  expect(code).toBe(0);
  return jsonLines(stdout)[0] as Record<string, unknown>;
}

test("a cost that the agent reports wins over the table", async () => {
  const line = await evaluated("claude/full", "claude");
  expect(typeof line["cost"]).toBe("number");
  expect(line).not.toHaveProperty("computedCost");
  expect(line).toMatchObject({
    answeredBy: expect.stringMatching(/claude/),
    seed: "7",
    grader: { graders: ["regex:/./"], version: expect.stringMatching(/^[0-9a-f]{64}$/) },
    machine: { platform: process.platform, node: process.versions.node },
    class: "passed",
    durations: { firstToken: expect.any(Number), waiting: expect.any(Number), working: expect.any(Number), grading: expect.any(Number) },
  });
  const raw = readFileSync(join(ROOT, "fixtures/claude/full/raw.jsonl"), "utf8");
  const { behavior } = line as { behavior: { calls: number; files: number } };
  expect(behavior.calls).toBe((line["trajectory"] as { type: string }[]).filter(({ type }) => type === "tool_call").length);
  expect(behavior.calls).toBeGreaterThan(0);
  expect(raw).toContain('"tool_use"');
});

test("a computed cost is labelled with the table, and reported cost stays unknown", async () => {
  const line = await evaluated("gemini/full", "gemini");
  expect(line["cost"]).toBeNull();
  expect(line["computedCost"]).toMatchObject({ table: TABLE, costUsd: expect.any(Number), model: expect.stringMatching(/gemini/) });
});

test("plain output says nothing about behavior, so nothing is invented", async () => {
  const folder = directory();
  const cases = join(folder, "cases.jsonl");
  writeFileSync(cases, '{"id":"a","input":"x"}\n');
  const { stdout } = await harness(["trials", cases, "--agent", "generic", "--command", "echo {prompt}", "-k", "1", "-g", "contains:x"], {
    env: { XDG_DATA_HOME: join(folder, "data") },
  });
  const [line] = jsonLines(stdout) as { trials: Record<string, unknown>[]; grader: object; machine: object }[];
  expect(line).toMatchObject({ grader: { graders: ["contains:x"] }, machine: { cores: expect.any(Number) } });
  expect(line?.trials[0]).toMatchObject({ answeredBy: null, durations: { firstToken: null, waiting: null, working: null } });
  expect(line?.trials[0]).not.toHaveProperty("behavior");
});
