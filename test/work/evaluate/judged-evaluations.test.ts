import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { cleanUp, directory, harness, jsonLines } from "../../support/harness.ts";
import { completion, serveJudge } from "../../support/judge-server.ts";
import { strictFlaw } from "../../support/strict-flaw.ts";

/** `llm:` through the command line: what failed is graded again, the agent runs once, and the judge's cost is in every total. */

afterAll(cleanUp);

const usage = { prompt_tokens: 10, completion_tokens: 2, cost: 0.5 };

function setUp() {
  const folder = directory();
  const path = (name: string) => join(folder, name);
  writeFileSync(path("cases.jsonl"), ["a", "b"].map((id) => `${JSON.stringify({ id, input: `Say ${id}.` })}\n`).join(""));
  writeFileSync(path("rubric.md"), "Is it short?\n");
  const env = { XDG_DATA_HOME: path("data") };
  const evaluate = (command: string, url: string, ...args: string[]) =>
    harness(
      [
        command,
        path("cases.jsonl"),
        "--agent",
        "generic",
        "--command",
        `sh -c 'echo ran >> ${path("ran")}; echo done' {prompt}`,
        "-g",
        `llm:${path("rubric.md")}`,
        "--judge-url",
        url,
        "--judge-model",
        "m",
        "-o",
        path("out.jsonl"),
        ...args,
      ],
      { env },
    );
  return {
    evaluate,
    lines: () => jsonLines(readFileSync(path("out.jsonl"), "utf8")),
    forget: () => {
      for (const { judging } of jsonLines(readFileSync(path("out.jsonl"), "utf8")))
        for (const run of (judging as { runs: string[] }).runs) rmSync(path(`data/harness/runs/${run}`), { recursive: true });
    },
    agentRuns: () => readFileSync(path("ran"), "utf8").trim().split("\n").length,
    compare: () => harness(["compare", path("out.jsonl"), "--json"], { env }),
    markdown: () => harness(["compare", path("out.jsonl"), "--markdown"], { env }),
  };
}

/** Rejects requests about a case until it is mended. */
async function brittleJudge(broken: (prompt: string) => boolean) {
  let isMended = false;
  const server = await serveJudge(({ nonce, prompt }) =>
    !isMended && broken(prompt)
      ? { status: 402, body: { error: { message: "no credit" } } }
      : completion(JSON.stringify({ nonce, pass: true, score: 1, reasoning: "short" }), { usage }),
  );
  return Object.assign(server, {
    mend() {
      isMended = true;
    },
  });
}

test("J11, J12: capture --append grades again what has no grade, and the agent does not run again", { timeout: 120_000 }, async () => {
  const { evaluate, lines, agentRuns, compare, markdown } = setUp();
  await using judge = await brittleJudge((prompt) => prompt.includes("Say b."));
  await evaluate("capture", judge.url);
  expect(new Map(lines().map(({ id, class: kind, gradeError }) => [id, [kind, gradeError]]))).toEqual(
    new Map([
      ["a", ["passed", undefined]],
      ["b", ["ungraded", expect.stringContaining("HTTP 402 Payment Required: no credit")]],
    ]),
  );
  const before = lines().find(({ id }) => id === "a");
  judge.mend();
  const asked = judge.calls.length;
  const again = await evaluate("capture", judge.url, "--append");
  expect(again.stderr).toContain("graded 1 trial again that had no grade; still without one: 0");
  expect(judge.calls.length - asked).toBe(1);
  expect(agentRuns()).toBe(2);
  expect(lines().map(({ class: kind, gradeError }) => [kind, gradeError])).toEqual(lines().map(() => ["passed", undefined]));
  expect(lines().find(({ id }) => id === "a")).toEqual(before);
  expect(lines().find(({ id }) => id === "b")).toMatchObject({ judging: { judge: "m", attempts: 2, rejected: 1, cost: 0.5 } });
  for (const line of lines()) expect(strictFlaw("capture-result", line)).toBeUndefined();
  const comparison = JSON.parse((await compare()).stdout);
  expect(strictFlaw("comparison", comparison)).toBeUndefined();
  expect(comparison.sides).toMatchObject([{ costUsd: null, judging: { attempts: 3, tokens: { input: 20, output: 4 }, costUsd: 1 } }]);
  expect((await markdown()).stdout).toMatch(/judge tokens \| judge cost \|\n.*\n.*\| 24 \| \$1\.00 \|/);
  const third = await evaluate("capture", judge.url, "--append");
  expect(third.stderr).not.toContain("graded");
  expect(judge.calls.length - asked).toBe(1);
});

test("J11: trials --append with more trials keeps the work and grades again what has no grade", { timeout: 120_000 }, async () => {
  const { evaluate, lines, agentRuns } = setUp();
  await using judge = await brittleJudge(() => true);
  await evaluate("trials", judge.url, "-k", "1");
  expect(lines()).toMatchObject([{ passRate: null }, { passRate: null }]);
  judge.mend();
  await evaluate("trials", judge.url, "-k", "2", "--append");
  expect(agentRuns()).toBe(4);
  expect(lines()).toMatchObject([
    { k: 2, passRate: 1 },
    { k: 2, passRate: 1 },
  ]);
  for (const line of lines()) expect(strictFlaw("trial-result", line)).toBeUndefined();
});

test("J12: --max-cost counts the judge", { timeout: 120_000 }, async () => {
  const { evaluate, lines } = setUp();
  await using judge = await brittleJudge(() => false);
  const { code, stderr } = await evaluate("capture", judge.url, "--max-cost", "0.4", "-j", "1");
  expect(lines()).toHaveLength(1);
  expect(stderr).toContain("--max-cost");
  expect(code).toBe(1);
});

test("J12: --max-cost counts the grades that --append makes again, and stops them", { timeout: 120_000 }, async () => {
  const { evaluate, lines, agentRuns } = setUp();
  await using judge = await brittleJudge(() => true);
  await evaluate("capture", judge.url);
  expect(lines()).toMatchObject([{ class: "ungraded" }, { class: "ungraded" }]);
  judge.mend();
  const asked = judge.calls.length;
  const { code, stderr } = await evaluate("capture", judge.url, "--append", "--max-cost", "0.4", "-j", "1");
  expect(judge.calls.length - asked).toBe(1);
  expect(lines().map(({ class: kind }) => kind)).toEqual(["passed", "ungraded"]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining("stopped at --max-cost: agents and judges have reported $0.50"),
  });
  expect(agentRuns()).toBe(2);
  expect((await evaluate("capture", judge.url, "--append", "--max-cost", "0.6")).code).toBe(0);
  expect(lines()).toMatchObject([{ class: "passed" }, { class: "passed" }]);
});

test("J12: --max-cost bounds what it costs to show that earlier grades are right", { timeout: 120_000 }, async () => {
  const { evaluate, lines, forget } = setUp();
  await using judge = await brittleJudge(() => false);
  await evaluate("capture", judge.url);
  const before = lines();
  forget(); // the judge's recorded runs, so that it must be asked again
  const asked = judge.calls.length;
  const { code, stderr } = await evaluate("capture", judge.url, "--append", "--max-cost", "0.4", "-j", "1");
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/judges were asked again for \$0\.50.*--max-cost.*--trust-grades/s),
  });
  expect(judge.calls.length - asked).toBe(1);
  expect(lines()).toEqual(before);
});
