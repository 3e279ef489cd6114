import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readWire } from "../../../../src/host/recording/wire/read-wire.ts";
import { agent, cleanUp, eventually, LONG_MS, place } from "../../../support/place.ts";
import { serve } from "../../../work/model/support.ts";

afterAll(cleanUp);

const SCENARIO = `
marker: demo
turns:
  - { text: One., usage: { input: 10, output: 2, cacheRead: 3 } }
  - { text: Two., usage: { input: 20, output: 4, reasoning: 1 } }
  - { text: Three. }
`;
const KEY = "sk-canary-key-0123456789";
const TOKEN = "canary-token-abcdefgh";

/** Arguments of a run whose agent asks a model this many times. */
function asking(url: string, prompt: string, ...more: readonly string[]): readonly string[] {
  const variables = [`MODEL=${url}`, `X_API_KEY=${KEY}`, `A_TOKEN=${TOKEN}`].flatMap((each) => ["--env", each]);
  const line = `${process.execPath} ${agent("asks-a-model.mjs")} {prompt}`;
  return ["run", "--wire", "--model-url", url, "--command", line, "--prompt", prompt, ...variables, ...more];
}

test("a run records its requests, seals them, and holds no key", { timeout: LONG_MS }, async () => {
  const model = await serve([SCENARIO]);
  const where = place();
  const { code, stderr, stdout } = await where.harness(asking(model.url, "3 times", "--view", "log"));
  expect([code, stderr]).toEqual([0, ""]);
  const [run] = where.recordings();
  const directory = run?.directory ?? "";
  const requests = stdout.split("\n").flatMap((line) => (line.includes('"model-request"') ? [JSON.parse(line)] : []));
  const sum = (name: string) => requests.reduce((all, { tokens }) => all + (tokens[name] ?? 0), 0);
  const charged = (name: "input" | "output" | "cacheRead" | "reasoning") =>
    model.ledger.reduce((all, { usage }) => all + (usage?.[name] ?? 0), 0);
  expect(requests).toHaveLength(3);
  for (const name of ["input", "output", "cacheRead", "reasoning"] as const) expect([name, sum(name)]).toEqual([name, charged(name)]);
  const calls = readWire(join(directory, "wire.jsonl")) ?? [];
  expect(calls.map(({ body }) => JSON.parse(body ?? "").messages.length)).toEqual([1, 3, 5]);
  expect((await where.harness(["verify", "last"])).code).toBe(0);
  for (const word of [KEY, TOKEN]) expect(grep(where.root, word)).toBe("");
  const file = join(directory, "wire.jsonl");
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n");
  const line = lines.findIndex((each) => each.includes("Question 1")) + 1;
  writeFileSync(file, text.replace("Question 1", "Question 7"));
  const { code: flawed, stdout: said } = await where.harness(["verify", "last"]);
  expect(flawed).toBe(1);
  expect(JSON.parse(said).flaws).toMatchObject([{ file: "wire.jsonl", line, problem: "the line was changed" }]);
  writeFileSync(file, text);
  appendFileSync(file, "{}\n");
  expect((await where.harness(["verify", "last"])).code).toBe(1);
});

test("the view of its requests, sum included, is the same live and derived", { timeout: LONG_MS }, async () => {
  const model = await serve([SCENARIO]);
  const where = place();
  const live = await where.harness(asking(model.url, "3 times", "--view", "requests"));
  const derived = await where.harness(["derive", "last", "--view", "requests"]);
  expect(live.stdout.match(/"type":"(request|total)"/g)).toHaveLength(4);
  expect(live.stdout).toContain('{"type":"total","requests":3,');
  expect([derived.stdout, derived.stderr]).toEqual([live.stdout, ""]);
});

test("a recorder that is killed loses at most half a line, and the next open seals the rest", { timeout: 2 * LONG_MS }, async () => {
  const model = await serve([SCENARIO]);
  const where = place();
  const { child, done } = where.start([...asking(model.url, "3 times and stays")]);
  await eventually(() => expect(where.recordings()[0]?.raw.split("\n").length).toBeGreaterThan(3), LONG_MS);
  child.kill("SIGKILL");
  await done;
  const [run] = where.recordings();
  const file = join(run?.directory ?? "", "wire.jsonl");
  appendFileSync(file, '{"seq":99,"type":"chu'); // as a crash in the middle of a write
  expect((await where.harness(["runs", "list", "--json"])).code).toBe(0);
  const calls = readWire(file) ?? [];
  expect(calls.map(({ isOver }) => isOver)).toEqual([true, true, true]);
  const verified = await where.harness(["verify", "last"]);
  expect(verified.stdout + verified.stderr).not.toContain("not what was sealed");
  expect(verified.code).toBe(0);
  expect(JSON.stringify(where.recordings()[0]?.sealed?.repairs)).toContain("wire.jsonl");
});

test("a run that does not ask for it has no such file, and the view of its requests says so", { timeout: LONG_MS }, async () => {
  const model = await serve([SCENARIO]);
  const where = place();
  const args = asking(model.url, "1 time").filter(
    (each, i, all) => each !== "--wire" && each !== "--model-url" && all[i - 1] !== "--model-url",
  );
  expect((await where.harness(args)).code).toBe(0);
  expect(existsSync(join(where.recordings()[0]?.directory ?? "", "wire.jsonl"))).toBe(false);
  const { code, stdout, stderr } = await where.harness(["derive", "last", "--view", "requests"]);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { type: "total", requests: null, differing: null }]);
  expect(stderr).toMatch(/not recorded.*--wire/);
});

test("an agent that cannot be led past us is not started", { timeout: LONG_MS }, async () => {
  const where = place();
  const { code, stderr } = await where.harness(["run", "--wire", "--command", "echo {prompt}", "--prompt", "Go."]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/cannot be recorded/);
  expect(where.recordings()).toEqual([]);
});

function grep(folder: string, word: string): string {
  try {
    return execFileSync("grep", ["-rlF", "--", word, folder], { encoding: "utf8" });
  } catch {
    return "";
  }
}
