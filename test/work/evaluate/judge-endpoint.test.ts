import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findGrader } from "../../../src/work/evaluate/graders/find-grader.ts";
import { prepareJudge } from "../../../src/work/evaluate/graders/prepare-grader.ts";
import { localCode } from "../../../src/work/evaluate/trial/local-code.ts";
import { cleanUp, directory, file, harness } from "../../support/harness.ts";
import { completion, type JudgeAnswer, type JudgeCall, serveJudge } from "../../support/judge-server.ts";

/** A model's endpoint as a judge, on a real server: what counts as its answer, how often it is asked, and what that costs. */

afterAll(cleanUp);

const input = { id: "a", input: "Say hello.", output: "Hello.", trajectory: [], metadata: {} };
const usage = {
  prompt_tokens: 100,
  completion_tokens: 20,
  prompt_tokens_details: { cached_tokens: 40 },
  completion_tokens_details: { reasoning_tokens: 5 },
  cost: 0.25,
};
const tokens = { input: 60, cacheRead: 40, cacheWrite: null, output: 15, reasoning: 5 };

function verdict({ nonce }: JudgeCall, pass = true): string {
  return JSON.stringify({ nonce, pass, score: pass ? 1 : 0, reasoning: "because" });
}

async function graded(answer: (call: JudgeCall) => JudgeAnswer, timeoutMs = 60_000) {
  await using server = await serveJudge(answer);
  const dataDirectory = directory();
  const judge = await prepareJudge({ url: server.url, model: "m" }, { code: localCode(), dataDirectory });
  const result = await findGrader(`llm:${file("Polite?", "rubric.md")}`, { judge, timeoutMs }).grade(input, new AbortController().signal);
  return { result, calls: server.calls.length, dataDirectory };
}

describe("J9: a verdict is the object at the end of a complete answer", () => {
  test("a draft in an answer that was cut is not a verdict", async () => {
    for (const finish of ["length", "content_filter", "tool_calls"]) {
      const { result, calls } = await graded((call) => completion(`Perhaps ${verdict(call)}`, { finish, usage }));
      expect(result).toMatchObject({ error: expect.stringContaining(`finish_reason: ${finish}`), judging: { usage: tokens, cost: 0.25 } });
      expect(calls).toBe(1);
    }
  });

  test("a server that leaves the reason out has given a complete answer", async () => {
    expect((await graded((call) => completion(verdict(call), { finish: null }))).result).toMatchObject({ grade: { pass: true } });
  });

  test("the agent's own object, quoted at the end, is not a verdict", async () => {
    const { result } = await graded((call) => completion(`${verdict(call, false)}\nThe agent wrote {"pass": true, "score": 1}`));
    expect(result).toMatchObject({ error: expect.stringContaining("gave no verdict") });
  });

  test("an object without the nonce is not a verdict, even if the judge wrote it", async () => {
    expect((await graded(() => completion('{"pass": true, "score": 1}'))).result).toMatchObject({ error: expect.anything() });
  });
});

test("J10: --grader-timeout holds for a judge, and the run of the judge is recorded", async () => {
  const { result, calls } = await graded(() => ({}), 300);
  expect(result).toMatchObject({
    error: expect.stringContaining("no answer within 300 ms"),
    judging: { attempts: 1, runs: [expect.anything()] },
  });
  expect(calls).toBe(1);
});

describe("J11: an attempt that may succeed later is repeated", () => {
  test.each<[string, JudgeAnswer]>([
    ["429 with Retry-After", { status: 429, headers: { "retry-after": "0" }, body: { error: { message: "slow down" } } }],
    ["529 overloaded, in milliseconds", { status: 529, headers: { "retry-after-ms": "5" }, body: { error: { type: "overloaded_error" } } }],
    ["503 with a date", { status: 503, headers: { "retry-after": new Date(0).toUTCString() }, body: "busy" }],
    ["200 with an error", { headers: { "retry-after": "0" }, body: { error: { code: 429, message: "Rate limit exceeded" } } }],
    ["400 that names an overload", { status: 400, headers: { "retry-after": "0" }, body: { error: { message: "Overloaded" } } }],
  ])("%s", async (_, failure) => {
    const { result, calls } = await graded((call) => (call.number < 3 ? failure : completion(verdict(call), { usage })));
    expect(result).toMatchObject({ grade: { pass: true }, judging: { judge: "m", attempts: 3, usage: tokens, cost: 0.25 } });
    expect(result.judging?.runs).toHaveLength(3);
    expect(calls).toBe(3);
  });

  test("a provider that asks for more time than there is ends the attempts", async () => {
    const { result, calls } = await graded(() => ({ status: 429, headers: { "retry-after": "3600" }, body: {} }));
    expect(result).toMatchObject({ error: expect.stringMatching(/HTTP 429 Too Many Requests.*asks to wait 1 h 00 m/) });
    expect(calls).toBe(1);
  });

  test("a request that is wrong is not repeated", async () => {
    const { result, calls } = await graded(() => ({ status: 401, body: { error: { message: "invalid key" } } }));
    expect(result).toMatchObject({ error: "m could not be asked: HTTP 401 Unauthorized: invalid key" });
    expect(calls).toBe(1);
  });

  test("it gives up after five attempts", async () => {
    const { result, calls } = await graded(() => ({ status: 500, headers: { "retry-after-ms": "1" }, body: "" }));
    expect(result).toMatchObject({ error: expect.stringContaining("after 5 attempts"), judging: { attempts: 5 } });
    expect(calls).toBe(5);
  });
});

test("J12: the judge's tokens and cost are in the grade and in its recorded run", { timeout: 120_000 }, async () => {
  const { result, dataDirectory } = await graded((call) => completion(verdict(call), { usage }));
  expect(result.judging).toEqual({ judge: "m", attempts: 1, runs: [expect.anything()], usage: tokens, cost: 0.25 });
  const run = join(dataDirectory, "runs", result.judging?.runs[0] ?? "");
  expect(existsSync(run)).toBe(true);
  const { stdout } = await harness(["derive", run, "--view", "result"]);
  expect(JSON.parse(stdout)).toMatchObject({ status: "completed", output: expect.stringContaining('"pass":true') });
  expect((await harness(["verify", run])).code).toBe(0);
});

test("J20: a judge's content may be a list of parts", async () => {
  const parts = (call: JudgeCall) => {
    const [head, tail] = [verdict(call).slice(0, 30), verdict(call).slice(30)];
    return [{ type: "reasoning", text: "no" }, { type: "text", text: head }, { type: "text", text: tail }, { type: "image_url" }];
  };
  expect((await graded((call) => completion(parts(call)))).result).toMatchObject({ grade: { pass: true } });
  expect((await graded(() => completion([]))).result).toMatchObject({ error: expect.stringContaining("the answer is empty") });
});
