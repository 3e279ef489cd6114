import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { capture, type Grader, grade, type Progress, prefer, trials, validateRefs } from "../../../src/evaluate.ts";

/** Features that only the library has: code as graders, judges and outputs; cases as a list; errors for misuse. It prints nothing. */

const folder = mkdtempSync(join(tmpdir(), "harness-library-"));
const stdout = vi.spyOn(process.stdout, "write");
const stderr = vi.spyOn(process.stderr, "write");
afterAll(() => {
  rmSync(folder, { recursive: true });
  vi.restoreAllMocks();
});
const path = (name: string) => join(folder, name);

const common = { agents: [{ agent: "generic", command: "cat" }], dataDirectory: path("data") };
const cases = [
  { id: "a", input: "Hello.", expected: "Hello" },
  { id: "b", input: "Bye.", expected: "Hello", metadata: { n: 1 } },
];
const quick: Grader = ({ output, expected = "" }) => ({ pass: output.includes(expected) });

test("a grader is a function; results are returned, progress is reported, nothing is printed", async () => {
  const printed = [stdout.mock.calls.length, stderr.mock.calls.length];
  const seen: Progress[] = [];
  const { results, costUsd, stopped } = await capture({
    ...common,
    cases,
    grader: [quick, "contains"],
    concurrency: 1,
    onProgress: (event) => seen.push(event),
  });
  expect([stdout.mock.calls.length, stderr.mock.calls.length]).toEqual(printed);
  expect({ costUsd, stopped }).toEqual({ costUsd: 0, stopped: undefined });
  expect(results).toMatchObject([
    { id: "a", output: "Hello.\n", score: { pass: true, score: 1 } },
    { id: "b", output: "Bye.\n", score: { pass: false, score: 0, reasoning: expect.stringContaining("function:quick: fail (0)") } },
  ]);
  expect(seen.map(({ type }) => type)).toEqual(["planned", "started", "finished", "started", "finished"]);
});

describe("a grader that is a function", () => {
  test.each<[string, Grader, string]>([
    ["throws", () => Promise.reject(new Error("out of order")), "out of order"],
    ["returns nonsense", () => ({ pass: "yes" }) as never, '"pass" is "yes"'],
    ["does not end", () => new Promise(() => {}), "did not end within 50 ms"],
  ])("that %s is an error of the grade", async (_, grader, message) => {
    const { results } = await capture({ ...common, cases: cases.slice(0, 1), grader, graderTimeoutMs: 50 });
    expect(results).toMatchObject([{ id: "a", gradeError: expect.stringContaining(message) }]);
  });

  test("sees the workspace as the agent left it, also when grading again, and the references", async () => {
    const files: Grader = ({ cwd = "" }) => ({ pass: readdirSync(cwd).includes("made.txt") });
    const agents = [{ agent: "generic", command: "sh -c 'echo x > made.txt'" }];
    const output = path("files.jsonl");
    await trials({ ...common, agents, cases: cases.slice(0, 1), k: 1, grader: files, output });
    expect(JSON.parse(readFileSync(output, "utf8"))).toMatchObject({ passRate: 1 });
    const graded = [];
    for await (const line of grade(output, { grader: files, dataDirectory: common.dataDirectory })) graded.push(line);
    expect(graded).toMatchObject([{ passRate: 1, trials: [{ pass: true }] }]);
    const checks = [];
    const rows = [{ id: "r", input: "x", reference: "command:touch made.txt" }, ...cases];
    for await (const check of validateRefs(rows, { grader: files, dataDirectory: common.dataDirectory })) checks.push(check);
    expect(checks).toMatchObject([{ id: "r", pass: true }]);
  });
});

describe("the output", () => {
  test("may be a function, which receives each result once, one at a time", async () => {
    const got: string[] = [];
    const output = async ({ id }: { id: string }) => void got.push(id);
    expect((await trials({ ...common, cases, k: 2, output })).results).toEqual([]);
    expect(got.sort()).toEqual(["a", "b"]);
  });

  test("that fails stops the evaluation with its error", async () => {
    const many = Array.from({ length: 20 }, (_, n) => ({ id: `c${n}`, input: "Hello." }));
    let ended = 0;
    const onProgress = ({ type }: Progress) => void (type === "finished" && ended++);
    const output = () => Promise.reject(new Error("no one listens"));
    await expect(capture({ ...common, cases: many, concurrency: 1, output, onProgress })).rejects.toThrow("no one listens");
    expect(ended).toBeLessThan(5);
  });

  test("as a file is locked while it is written: the error names the file and the command", async () => {
    const output = path("locked.jsonl");
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const wait: Grader = () => held.then(() => ({ pass: true }));
    const first = trials({ ...common, cases: cases.slice(0, 1), k: 1, grader: wait, output });
    await vi.waitFor(() => expect(readFileSync(output, "utf8")).toBe(""));
    await expect(capture({ ...common, cases, output, append: true })).rejects.toMatchObject({
      code: "locked",
      message: expect.stringMatching(/^\S+locked\.jsonl is being written by process \d+ on host \S+ \(trials\); wait/),
    });
    release();
    await first;
  });
});

test("a signal stops the running trials, which then have no result", async () => {
  const stop = new AbortController();
  const agents = [{ agent: "generic", command: "sleep 60" }];
  const onProgress = ({ type }: Progress) => void (type === "started" && setTimeout(() => stop.abort(), 300));
  const { results, stopped } = await capture({ ...common, agents, cases, concurrency: 1, signal: stop.signal, onProgress });
  expect({ results, stopped }).toEqual({ results: [], stopped: "canceled" });
});

test("a custom judge prefers", async () => {
  const files = ["x", "y"].map((name) => path(`${name}.jsonl`));
  for (const [index, output] of files.entries())
    await capture({ ...common, cases, output, agents: [{ agent: "generic", command: index === 0 ? "cat" : "echo better" }] });
  writeFileSync(path("rubric.md"), "Whatever is better.");
  const ask = async (prompt: string, _: AbortSignal, nonce: string) =>
    JSON.stringify({ nonce, better: prompt.indexOf("better\n") < prompt.indexOf("Second answer") ? "first" : "second" });
  const { results, summary } = await prefer(files, {
    judge: { name: "own", ask },
    rubric: path("rubric.md"),
    dataDirectory: common.dataDirectory,
  });
  const byId = results.toSorted((a, b) => a.id.localeCompare(b.id)); // they arrive in finish order
  expect(byId).toMatchObject([
    { id: "a", preferred: "b", judge: "own" },
    { id: "b", preferred: "b" },
  ]);
  expect(summary).toMatchObject([{ wins: 2, losses: 0 }]);
});

test.each<[string, Partial<Parameters<typeof trials>[0]>, object]>([
  ["no agent", { agents: [] }, { code: "usage", message: "Name at least one agent in `agents`." }],
  ["one agent twice", { agents: ["generic", "generic"].map((agent) => ({ agent, command: "cat" })) }, { code: "usage" }],
  ["an unknown agent", { agents: ["unknown-agent"] }, { code: "usage", message: expect.stringContaining("unknown-agent") }],
  ["a missing program", { agents: [{ agent: "generic", command: "/no/such" }] }, { message: expect.stringContaining("/no/such") }],
  ["precision without a grader", { untilPrecise: 0.1 }, { code: "usage", option: "grader" }],
  ["append without an output", { append: true }, { code: "usage", option: "output" }],
  ["an invalid case", { cases: [{ id: "a", input: "" }] }, { code: "input", message: expect.stringMatching(/^cases:1: "input" is empty/) }],
  [
    "a repeated case",
    { cases: [...cases, ...cases] },
    { code: "input", message: expect.stringMatching(/^cases:3: line 1 already has the id "a"/) },
  ],
  ["a missing grader", { grader: "./no-such.mjs" }, { code: "usage", message: expect.stringContaining("no-such.mjs") }],
])("%s is an error before anything runs", async (_, options, error) => {
  const execute = vi.fn();
  await expect(trials({ ...common, cases, ...options, execute })).rejects.toMatchObject({ name: "HarnessError", ...error });
  expect(execute).not.toHaveBeenCalled();
});

test("one agent takes part twice under two labels", async () => {
  const agents = ["cat", "echo Hello."].map((command, index) => ({ agent: "generic", command, label: `g${index}` }));
  const { results } = await capture({
    ...common,
    agents,
    cases: cases.slice(1),
    grader: quick,
    concurrency: { total: 2, perAgent: { g0: 1 } },
  });
  expect(results.map(({ agent, score }) => [agent, score?.pass]).sort(([a = ""], [b = ""]) => String(a).localeCompare(String(b)))).toEqual([
    ["g0", false],
    ["g1", true],
  ]);
});
