import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { CaptureResult, CaseRow, EntrantEntry, TrialExecutor, TrialSpec } from "../../../src/work/evaluate/index.ts";
import { capture, executeTrial, grade, openTrialHost, trials } from "../../../src/work/evaluate/index.ts";

/** A trial is plain data: a process that has only this data can run it, with the same result. */

const folder = mkdtempSync(join(tmpdir(), "harness-specs-"));
afterAll(() => rmSync(folder, { recursive: true }));
const dataDirectory = join(folder, "data/harness");

/** Records every spec and answers immediately. */
function noting(): { readonly specs: TrialSpec[]; readonly execute: TrialExecutor } {
  const specs: TrialSpec[] = [];
  const result = { output: "", trajectory: [], timing: { start: 0, end: 1 }, toolErrors: false, runs: [], status: "completed", cost: null };
  return {
    specs,
    execute: async (spec) => {
      specs.push(spec);
      return { ...result, id: spec.case.id } as unknown as CaptureResult;
    },
  };
}

const texts = fc.array(fc.string());
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const entries: fc.Arbitrary<Partial<EntrantEntry>> = fc.record({
  model: maybe(fc.string()),
  permissions: maybe(fc.constantFrom("full", "default", "read-only")),
  allow: maybe(texts),
  env: maybe(fc.dictionary(fc.stringMatching(/^[A-Z_]{1,8}$/), fc.option(fc.stringMatching(/^[^\0]*$/), { nil: undefined }))),
  mcp: maybe(fc.constant([{ name: "m", command: "c", args: ["a"], env: {} }])),
  systemPrompt: maybe(fc.string()),
  tags: maybe(texts),
  timeoutMs: maybe(fc.nat()),
});
const rows: fc.Arbitrary<CaseRow[]> = fc.uniqueArray(
  fc.record(
    {
      id: fc.stringMatching(/^[a-z]{1,9}$/),
      input: fc.oneof(fc.string({ minLength: 1 }), fc.constant("Go.")).filter((text) => text.trim() !== ""),
      expected: fc.string(),
      metadata: fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Record<string, unknown>>,
      timeout: fc.integer({ min: 1 }),
      workspace: fc.constantFrom("template", "/template", "https://example.org/x.git@main"),
      setup: fc.string(),
    },
    { requiredKeys: ["id", "input"] },
  ),
  { selector: ({ id }) => id, minLength: 1, maxLength: 4 },
);

/** True for a type with anything that JSON changes: a function, a big integer, a date … */
type Changes<T> = unknown extends T
  ? never // any JSON value: `metadata`
  : T extends string | number | boolean | null
    ? never
    : T extends readonly (infer Item)[]
      ? Changes<Item>
      : T extends bigint | symbol | undefined | Date | ReadonlyMap<never, never> | ReadonlySet<never> | ((...args: never[]) => unknown)
        ? true
        : { [Key in keyof T]-?: Changes<NonNullable<T[Key]>> }[keyof T];
true satisfies [Changes<TrialSpec>] extends [never] ? true : false;
true satisfies Changes<{ readonly spec: TrialSpec; readonly jobs: readonly { run?: () => void }[] }>;
true satisfies Changes<TrialSpec & { readonly large?: bigint }>;
true satisfies Changes<TrialSpec & { readonly when?: Date }>;

describe("a spec", () => {
  test("is the same after a round trip through JSON, whatever its input", { timeout: 60_000 }, async () => {
    const cases = fc.record({ cases: rows, entry: entries, timeoutMs: maybe(fc.nat()), isGraded: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(cases, async ({ cases, entry, timeoutMs, isGraded }) => {
        const { specs, execute } = noting();
        const agents = [{ ...entry, agent: "generic", command: "cat" }];
        const grader = isGraded ? ["contains", function own() { return { pass: true }; }] : []; // biome-ignore format: a function with a name
        await trials({ cases, agents, k: 2, grader, timeoutMs, dataDirectory, execute });
        expect(specs).toHaveLength(cases.length * 2);
        for (const spec of specs) expect(JSON.parse(JSON.stringify(spec))).toStrictEqual(spec);
      }),
      { numRuns: 60 },
    );
  });

  test("refers to code by name and to files by absolute path", async () => {
    const { specs, execute } = noting();
    const cases = [{ id: "a", input: "Go.", workspace: "template", timeout: 5 }];
    const agents = [{ agent: "generic", command: "cat", env: { KEY: undefined, LANG: "C" }, binary: undefined }];
    await capture({ cases, agents, grader: ["./g.mjs", () => ({ pass: true })].slice(1), timeoutMs: 9, dataDirectory, execute });
    expect(specs).toEqual([
      {
        evaluation: expect.stringMatching(/^[0-9a-f-]{36}$/),
        entrant: {
          label: "generic",
          agent: "generic",
          settings: { command: "cat", env: { KEY: null, LANG: "C" } },
          version: null,
          configuration: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        case: { id: "a", input: "Go.", metadata: {}, timeout: 5, workspace: "template" },
        caseHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        trialNum: 1,
        workspace: join(process.cwd(), "template"),
        home: "private",
        timeoutMs: 5,
        grader: { graders: ["function:grade"], directory: process.cwd(), hidden: [] },
      },
    ]);
    const [spec] = specs;
    await expect(executeTrial(spec as TrialSpec, openTrialHost({ dataDirectory }))).rejects.toThrow(
      "function:grade exists only in a different process",
    );
  });
});

describe("executeTrial", () => {
  const hash = "0".repeat(64);
  const marker = join(folder, "started");
  const settings = { command: `sh -c 'touch ${marker}; printenv HOME'` };
  const spec: TrialSpec = {
    entrant: { label: "g", agent: "generic", settings, configuration: hash },
    case: { id: "a", input: "Go.", metadata: {} },
    caseHash: hash,
    trialNum: 1,
    home: "private",
  };

  test.each<[string, object]>([
    ["home", { home: "zzz" }],
    ["home", { home: "Private" }],
    ["home", { home: undefined }],
    ["hoem", { hoem: "private" }],
    ["timeoutMs", { timeoutMs: "5" }],
    ["timeoutMs", { timeoutMs: -1 }],
    ["timeoutMs", { timeoutMs: null }],
    ["trialNum", { trialNum: "x" }],
    ["trialNum", { trialNum: null }],
    ["caseHash", { caseHash: "x" }],
    ["workspace", { workspace: 5 }],
    ["grader", { grader: "contains" }],
    ["grader.graders", { grader: { graders: "contains", directory: "/" } }],
    ["case", { case: undefined }],
    ["case.id", { case: { ...spec.case, id: 5 } }],
    ["case.input", { case: { ...spec.case, input: 5 } }],
    ["case.input", { case: { ...spec.case, input: [] } }],
    ["case.input", { case: { ...spec.case, input: " " } }],
    ["case.expected", { case: { ...spec.case, expected: 5 } }],
    ["entrant", { entrant: undefined }],
    ["entrant.settings", { entrant: { ...spec.entrant, settings: undefined } }],
    ["entrant.settings.cwd", { entrant: { ...spec.entrant, settings: { ...settings, cwd: "/" } } }],
    ["entrant.settings.env.A", { entrant: { ...spec.entrant, settings: { ...settings, env: { A: 5 } } } }],
  ])("rejects a spec with a wrong %s before it starts anything: %j", async (place, change) => {
    const host = openTrialHost({ dataDirectory: join(folder, "unused") });
    const call = executeTrial({ ...spec, ...change }, host);
    await expect(call).rejects.toMatchObject({
      code: "usage",
      option: place.split(".")[0],
      message: expect.stringContaining(`\`${place}`),
    });
    host.close();
    expect([existsSync(marker), existsSync(join(folder, "unused"))]).toEqual([false, false]);
  });

  test.each([null, 5, undefined, []])("rejects %j", async (value) => {
    await expect(executeTrial(value as never, openTrialHost({ dataDirectory }))).rejects.toThrow("This is not the spec of a trial");
  });

  test("runs in a private home, and not after its host was closed", async () => {
    const host = openTrialHost({ dataDirectory });
    expect((await executeTrial(spec, host)).output).toContain(join(dataDirectory, "evaluations"));
    host.close();
    await expect(executeTrial(spec, host)).rejects.toThrow("The trial host is closed");
  });
});

describe("a separate process", () => {
  const WORKER = join(import.meta.dirname, "support/trial-worker.mjs");
  const env = { ...process.env, XDG_DATA_HOME: join(folder, "data"), PASSED: "as it is here" };
  let started = 0;

  /** Sends the spec to its standard input and reads the result from its standard output. */
  const remote: TrialExecutor = async (spec, signal) => {
    started++;
    const child = promisify(execFile)(process.execPath, [WORKER], { cwd: "/", env, signal, maxBuffer: 1e8 });
    child.child.stdin?.end(JSON.stringify(spec));
    return JSON.parse((await child).stdout);
  };

  test("that turns specs into results gives the same evaluation as this one", { timeout: 120_000 }, async () => {
    mkdirSync(join(folder, "template"));
    writeFileSync(join(folder, "template/given.txt"), "given");
    writeFileSync(
      join(folder, "grade.mjs"),
      "export const grade = ({ output, expected }) => ({ pass: output.includes(expected), score: 0.5 });\n",
    );
    const agent = join(folder, "agent");
    writeFileSync(agent, '#!/bin/sh\ncat given.txt made.txt 2>&1; echo "$1 $PASSED"; echo "$1" > said.txt\n');
    chmodSync(agent, 0o700);
    const rows: CaseRow[] = [
      { id: "plain", input: "Hello.", expected: "given" },
      { id: "setup", input: "Hello.", expected: "made", setup: "echo made > made.txt", metadata: { n: 1 } },
      { id: "broken", input: "Hello.", setup: "exit 3" },
      { id: "talk", input: ["One", "Two"], expected: "turn 2" },
    ];
    writeFileSync(join(folder, "cases.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    process.env["PASSED"] = env.PASSED;
    const own = { agent: "generic", command: `${agent} {prompt}`, env: { PASSED: undefined } };
    const acp = { agent: "acp", extraArgs: [process.execPath, join(import.meta.dirname, "support/acp-agent.mjs")] };
    const evaluation = async (execute: TrialExecutor | undefined) => {
      const options = { cases: join(folder, "cases.jsonl"), grader: join(folder, "grade.mjs"), dataDirectory, execute };
      const first = await trials({ ...options, agents: [own], only: ["plain", "setup", "broken"], workspace: "template", k: 2 });
      const second = await trials({ ...options, agents: [acp], only: ["talk"], k: 1 });
      return timeless([...first.results, ...second.results]);
    };
    const here = await evaluation(undefined);
    expect(started).toBe(0);
    expect(await evaluation(remote)).toEqual(here);
    expect(started).toBe(7);
    expect(here).toMatchObject([
      { id: "broken", passRate: null, statistics: { nInfrastructure: 2 } },
      { id: "plain", passRate: 1, trials: [{ output: expect.stringContaining("Hello. as it is here") }, {}] },
      { id: "setup", passRate: 1, trials: [{ score: 0.5 }, { score: 0.5 }] },
      { id: "talk", passRate: 1, trials: [{ output: "turn 2: One | Two" }] },
    ]);
    expect(readdirSync(join(dataDirectory, "evaluations")).filter((name) => name.startsWith("scratch"))).toEqual([]);
  });

  test("leaves a recording here that can be graded again", async () => {
    const output = join(folder, "results.jsonl");
    const agents = [{ agent: "generic", command: `${join(folder, "agent")} {prompt}` }];
    await capture({ cases: [{ id: "a", input: "Hello." }], agents, output, dataDirectory, execute: remote });
    const lines = [];
    for await (const line of grade(output, { grader: "command:grep -q Hello said.txt", dataDirectory })) lines.push(line);
    expect(lines).toMatchObject([{ id: "a", score: { pass: true } }]);
    expect(readFileSync(output, "utf8")).not.toContain('"score"');
  });

  test("that cannot be reached stops the evaluation with its error", async () => {
    const execute = () => Promise.reject(new Error("no such machine"));
    const call = capture({ cases: [{ id: "a", input: "Hello." }], agents: [{ agent: "generic", command: "cat" }], dataDirectory, execute });
    await expect(call).rejects.toThrow("no such machine");
  });
});

/** Without times and ids of runs and evaluations, in the order of the cases. */
function timeless(results: readonly { readonly id: string }[]): unknown {
  const names = new Set(["timestamp", "duration", "durations", "runs", "timing", "evaluation"]);
  const text = JSON.stringify(results, (name, value) => (names.has(name) ? 0 : value));
  return (JSON.parse(text) as { id: string }[]).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
