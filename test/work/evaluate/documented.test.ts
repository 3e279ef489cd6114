import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BIN, bash, cleanUp, directory, jsonLines, ROOT } from "../../support/harness.ts";
import { strictFlaw } from "../../support/strict-flaw.ts";

/** The command lines of specification 004, verbatim, with an agent that does what its examples show. */

const here = directory();
const path = (name: string) => join(here, name);
const read = (name: string) => readFileSync(path(name), "utf8");
const records = (name: string) => jsonLines(read(name)) as Line[];

interface Line extends Record<string, unknown> {
  readonly trajectory: readonly Record<string, unknown>[];
  readonly timing: { readonly start: number; readonly end: number; readonly firstResponse: number };
}

/** Runs in the test's directory, with `bunx` and `acp-harness` on its PATH. */
const run = (line: string) =>
  bash(`cd '${here}' || exit\n${line}`, {
    env: { XDG_DATA_HOME: path("data"), PATH: `${path("bin")}:${process.env["PATH"]}`, COUNTER: path("counter") },
  });

beforeAll(() => {
  mkdirSync(path("bin"));
  symlinkSync(BIN, path("bin/acp-harness"));
  symlinkSync(BIN, path("bin/harness"));
  writeFileSync(
    path("bin/bunx"),
    `#!/bin/sh\n[ "$1" = claude-code-acp ] || exit 9\nexec node '${join(ROOT, "test/work/evaluate/support/acp-agent.mjs")}'\n`,
  );
  chmodSync(path("bin/bunx"), 0o755);
  writeFileSync(
    path("prompts.jsonl"),
    '{"id":"test-001","input":"Create a primary button","expected":"should contain <button>","metadata":{"category":"ui"}}\n',
  );
  writeFileSync(path("search.jsonl"), '{"id":"search-001","input":"Find the CEO of Anthropic","expected":"Dario"}\n');
  writeFileSync(
    path("grader.ts"),
    `export const grade = async ({ output, expected = "" }: { output: string; expected?: string }) => {
      const pass = expected.startsWith("should") || output.includes(expected);
      return { pass, score: pass ? 1.0 : 0.0, ...(pass ? {} : { reasoning: "Missing expected answer" }) };
    };\n`,
  );
});
afterAll(cleanUp);

const follows = (schema: string, lines: readonly object[]) => {
  for (const line of lines) expect(strictFlaw(schema, line)).toBeUndefined();
};

describe("capture", () => {
  test("acp-harness capture prompts.jsonl bunx claude-code-acp -o results.jsonl", async () => {
    expect(await run("acp-harness capture prompts.jsonl bunx claude-code-acp -o results.jsonl")).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    const [line] = records("results.jsonl");
    expect(line).toMatchObject({
      id: "test-001",
      input: "Create a primary button",
      output: "I created the button in src/button.tsx",
      expected: "should contain <button>",
      trajectory: [
        { type: "thought", content: "I'll create a styled button template", stepId: "test-001-step-1" },
        {
          type: "tool_call",
          name: "Write",
          status: "completed",
          input: { file_path: "src/button.tsx", content: "<button>" },
          output: "File written",
          stepId: "test-001-step-2",
        },
        { type: "plan", entries: [{ content: "Write it", priority: "high", status: "completed" }], stepId: "test-001-step-3" },
        { type: "message", content: "I created the button in src/button.tsx", stepId: "test-001-step-4" },
      ],
      metadata: { category: "ui", agent: "claude-code-acp" },
      agent: "acp",
      toolErrors: false,
    });
    const { timing, trajectory } = line as Line;
    expect(timing.start).toBeGreaterThan(1.7e12);
    expect(timing.end - timing.start).toBeGreaterThanOrEqual(timing.firstResponse);
    for (const { timestamp } of trajectory) expect(timestamp).toBeLessThanOrEqual(timing.end - timing.start);
    follows("capture-result", records("results.jsonl"));
    follows("case", jsonLines(read("prompts.jsonl")));
  });

  test("acp-harness capture prompts.jsonl bunx claude-code-acp --grader ./grader.ts -o graded.jsonl", async () => {
    expect((await run("acp-harness capture prompts.jsonl bunx claude-code-acp --grader ./grader.ts -o graded.jsonl")).code).toBe(0);
    expect(records("graded.jsonl")).toMatchObject([{ id: "test-001", score: { pass: true, score: 1 } }]);
    follows("capture-result", records("graded.jsonl"));
  });

  test("in the background with --progress, while tail -f reads along", async () => {
    const line = `acp-harness capture prompts.jsonl bunx claude-code-acp --progress -o watched.jsonl &
      harness=$!
      until [ -e watched.jsonl ]; do sleep 0.05; done
      tail -n +1 -f watched.jsonl > seen.jsonl & tail=$!
      wait $harness; code=$?
      for i in $(seq 100); do [ -s seen.jsonl ] && break; sleep 0.05; done
      kill $tail; exit $code`;
    const { code, stderr } = await run(line);
    expect(code).toBe(0);
    expect(stderr).toContain('acp "test-001" trial 1: completed');
    expect(read("seen.jsonl")).toBe(read("watched.jsonl"));
  });

  test("--append continues an interrupted run without overwriting previous results", async () => {
    const before = read("results.jsonl");
    writeFileSync(path("two.jsonl"), `${read("prompts.jsonl")}{"id":"test-002","input":"Fix the TypeScript error"}\n`);
    expect((await run("acp-harness capture two.jsonl bunx claude-code-acp -o results.jsonl --append")).code).toBe(0);
    expect(read("results.jsonl").startsWith(before)).toBe(true);
    expect(records("results.jsonl").map(({ id }) => id)).toEqual(["test-001", "test-002"]);
  });
});

describe("using the results", () => {
  test("acp-harness summarize results.jsonl -o summary.jsonl, and the document's jq lines", async () => {
    expect((await run("acp-harness summarize results.jsonl -o summary.jsonl")).code).toBe(0);
    expect(records("summary.jsonl")).toEqual([
      {
        id: "test-001",
        input: "Create a primary button",
        output: "I created the button in src/button.tsx",
        toolCalls: ["Write"],
        duration: expect.any(Number),
        class: expect.any(String), // our addition: how the trial ended
      },
      {
        id: "test-002",
        input: "Fix the TypeScript error",
        output: "turn 1: Fix the TypeScript error",
        toolCalls: [],
        duration: expect.any(Number),
        class: expect.any(String), // our addition: how the trial ended
      },
    ]);
    follows("summary", records("summary.jsonl"));
    if ((await run("command -v jq")).code !== 0) return; // the lines above already checked it
    expect(Number((await run("cat summary.jsonl | jq -s 'map(.duration) | add / length'")).stdout)).toBeGreaterThan(0);
    const tools = "map(.toolCalls) | flatten | group_by(.) | map({tool: .[0], count: length})";
    expect(JSON.parse((await run(`cat summary.jsonl | jq -s '${tools}'`)).stdout)).toEqual([{ tool: "Write", count: 1 }]);
    expect((await run(`cat summary.jsonl | jq 'select(.output | contains("error"))'`)).stdout).toContain("test-002");
  });

  test("acp-harness summarize results.jsonl --markdown -o results.md: the document's structure, and its step ids lead to the steps", async () => {
    expect((await run("acp-harness summarize results.jsonl --markdown -o results.md")).code).toBe(0);
    const [first = ""] = read("results.md").split("\n---\n");
    expect(
      first
        .replace(/\(\d+ms\)/, "(<ms>ms)")
        .replace(/\*\*Duration:\*\* \d+ms/, "**Duration:** <ms>ms")
        .trim(),
    ).toBe(`## Evaluation Record: test-001

**Input:** Create a primary button

**Trajectory:**
1. [THOUGHT] I'll create a styled button template [->test-001-step-1]
2. [TOOL:Write] -> completed (<ms>ms) [->test-001-step-2]
   File: src/button.tsx (8 chars)
   \`\`\`tsx
   <button>
   \`\`\`
3. [PLAN] completed: Write it [->test-001-step-3]
4. [MESSAGE] I created the button in src/button.tsx [->test-001-step-4]

**Output:** I created the button in src/button.tsx
**Metadata:** category=ui, agent=claude-code-acp
**Tool Errors:** false
**Duration:** <ms>ms`);
    // The document's retrieval pattern.
    const index = new Map(records("results.jsonl").flatMap(({ trajectory }) => trajectory.map((step) => [step["stepId"], step] as const)));
    expect(index.get("test-001-step-2")?.["input"]).toEqual({ file_path: "src/button.tsx", content: "<button>" });
    for (const [, id] of read("results.md").matchAll(/\[->(.*)\]$/gm)) expect(index.has(id)).toBe(true);
  });
});

describe("trials", () => {
  test("acp-harness trials search.jsonl bunx claude-code-acp -k 5 --grader ./grader.ts -o trials.jsonl", async () => {
    const command = "acp-harness trials search.jsonl bunx claude-code-acp -k 5 --grader ./grader.ts -o trials.jsonl --env COUNTER -j 1";
    expect(await run(command)).toMatchObject({ code: 0 });
    const [line] = records("trials.jsonl");
    expect(line).toMatchObject({ id: "search-001", input: "Find the CEO of Anthropic", k: 5, passRate: 0.8 });
    // As the document rounds them.
    expect(Number(line?.["passAtK"]).toFixed(4)).toBe("0.9997");
    expect(Number(line?.["passExpK"]).toFixed(4)).toBe("0.3277");
    const trials = line?.["trials"] as Line[];
    expect(trials.map(({ trialNum, pass, score }) => [trialNum, pass, score])).toEqual(
      [1, 2, 3, 4, 5].map((n) => [n, n !== 2, n === 2 ? 0 : 1]),
    );
    const ids = trials.flatMap(({ trajectory }) => trajectory.map(({ stepId }) => stepId));
    expect(ids).toContain("search-001-trial-2-step-1"); // W2: the trials of a case have distinct step ids
    expect(new Set(ids).size).toBe(ids.length);
    expect(line?.["metadata"]).toEqual({ agent: "claude-code-acp" });
    expect(trials[1]).toMatchObject({ output: "I don't know.", reasoning: "Missing expected answer", duration: expect.any(Number) });
    follows("trial-result", records("trials.jsonl"));
  });

  test("without a grader: no verdicts, no rates", async () => {
    expect((await run("acp-harness trials search.jsonl bunx claude-code-acp -k 2 -o plain.jsonl")).code).toBe(0);
    const [line] = records("plain.jsonl");
    for (const name of ["passRate", "passAtK", "passExpK", "statistics"]) expect(line).not.toHaveProperty(name);
    for (const trial of (line?.["trials"] ?? []) as object[])
      for (const name of ["pass", "score", "reasoning"]) expect(trial).not.toHaveProperty(name);
    follows("trial-result", records("plain.jsonl"));
  });

  test("compare prints output that matches its schema", async () => {
    const { stdout } = await run("harness compare trials.jsonl plain.jsonl --json");
    follows("comparison", jsonLines(stdout));
  });
});

test("a conversation: every turn is a run that resumes the session of the last one", async () => {
  writeFileSync(path("turns.jsonl"), '{"id":"talk","input":["Remember apples.","And pears.","What do you remember?"]}\n');
  expect((await run("harness capture turns.jsonl bunx claude-code-acp -o talk.jsonl")).code).toBe(0);
  const [line] = records("talk.jsonl");
  expect(line).toMatchObject({
    input: ["Remember apples.", "And pears.", "What do you remember?"],
    output: "turn 3: Remember apples. | And pears. | What do you remember?",
    runs: [expect.any(String), expect.any(String), expect.any(String)],
  });
  expect(line?.trajectory.map(({ stepId, content }) => [stepId, String(content).slice(0, 7)])).toEqual(
    [1, 2, 3].map((n) => [`talk-step-${n}`, `turn ${n}:`]),
  );
  const times = (line?.trajectory ?? []).map(({ timestamp }) => Number(timestamp));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  follows("capture-result", records("talk.jsonl"));
});

describe("adapters", () => {
  const jiti = join(ROOT, "node_modules/jiti/lib/jiti-cli.mjs"); // for a Node that cannot run TypeScript

  test.each([
    ["ts", `node '${jiti}' made/made.ts`],
    ["python", "python3 made-python/made-python.py"],
  ])("adapter:scaffold made --lang %s creates an adapter that passes adapter:check and can be captured", async (lang, command) => {
    if ((await run(`command -v ${command.split(" ")[0]}`)).code !== 0) return;
    const name = lang === "ts" ? "made" : "made-python";
    expect((await run(`acp-harness adapter:scaffold ${name} --lang ${lang}`)).code).toBe(0);
    const { code, stdout } = await run(`acp-harness adapter:check ${command}`);
    expect(code).toBe(0);
    expect(jsonLines(stdout).map(({ ok }) => ok)).not.toContain(false);
    expect((await run(`acp-harness capture prompts.jsonl ${command} -o ${name}.jsonl`)).code).toBe(0);
    expect(records(`${name}.jsonl`)).toMatchObject([{ id: "test-001", status: "completed" }]);
  });

  test("adapter:check bunx claude-code-acp, and a program with a different protocol", async () => {
    expect((await run("acp-harness adapter:check bunx claude-code-acp")).code).toBe(0);
    expect((await run("acp-harness adapter:check echo hello")).code).toBe(1);
  });
});
