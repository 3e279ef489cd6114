import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { noTokens } from "../../../src/pure/events/index.ts";
import { preferenceSummary } from "../../../src/work/evaluate/prefer/preference-summary.ts";
import { cleanUp, directory, harness, jsonLines } from "../../support/harness.ts";
import { completion, serveJudge } from "../../support/judge-server.ts";
import { strictFlaw } from "../../support/strict-flaw.ts";

/** `harness prefer`: asks a judge about pairs of answers, in both orders. */

afterAll(cleanUp);

/** A judge that prints like Claude Code and prefers the answer with the longer file name; it sees the patch. */
const JUDGE = `#!/usr/bin/env node
const prompt = require("node:fs").readFileSync(0, "utf8") + process.argv.slice(2).join(" ");
const [, first = "", second = ""] = prompt.split(/# (?:First|Second) answer/);
const length = (text) => (/\\+\\+\\+ b\\/(\\S+)/.exec(text)?.[1] ?? "").length;
const [, nonce] = /"nonce": "(\\w+)", "better"/.exec(prompt);
const verdict = { nonce, better: length(first) > length(second) ? "first" : "second", reasoning: "by length" };
const text = "Let me see {so}. " + JSON.stringify(verdict);
console.log(JSON.stringify({ type: "assistant", session_id: "s", message: { id: "m", role: "assistant", content: [{ type: "text", text }] } }));
console.log(JSON.stringify({ type: "result", subtype: "success", is_error: false, result: text, session_id: "s" }));
`;

async function twoFiles() {
  const folder = directory();
  const path = (name: string) => join(folder, name);
  const program = (name: string, text: string) => {
    writeFileSync(path(name), text);
    chmodSync(path(name), 0o700);
    return path(name);
  };
  const env = { XDG_DATA_HOME: path("data"), PATH: `${folder}:${process.env["PATH"]}` };
  writeFileSync(path("cases.jsonl"), ["a", "b", "c"].map((id) => `${JSON.stringify({ id, input: `Write ${id}.` })}\n`).join(""));
  for (const name of ["short", "long-name"]) {
    const agent = program(`agent-${name}`, `#!/bin/sh\necho ${name} > ${name}.txt\necho done\n`);
    const args = ["capture", path("cases.jsonl"), "--agent", "generic", "--command", `${agent} {prompt}`, "-o", path(`${name}.jsonl`)];
    expect((await harness(args, { env })).code).toBe(0);
  }
  writeFileSync(path("rubric.md"), "The longer name is the better one.\n");
  const prefer = (...args: string[]) =>
    harness(["prefer", path("short.jsonl"), path("long-name.jsonl"), "--rubric", path("rubric.md"), ...args], { env });
  return { path, env, program, prefer };
}

describe("prefer", () => {
  test("an agent as judge; continues after an interruption; rejects results with different criteria", { timeout: 120_000 }, async () => {
    const { path, program, prefer } = await twoFiles();
    program("claude", JUDGE);
    const out = path("preferences.jsonl");
    const first = await prefer("--judge", "claude", "-o", out, "--sample", "2");
    expect(first).toMatchObject({ code: 0, stdout: "" });
    const before = readFileSync(out, "utf8");
    expect(jsonLines(before)).toHaveLength(2);
    const all = await prefer("--judge", "claude", "-o", out, "--append");
    expect(all.stderr).toMatch(/Preferences\n\n.*\n.*3 +3 +3 +0 +0 +0 +0 +0\.250 +0\.250 +– +– +no difference shown\n/);
    expect(readFileSync(out, "utf8").startsWith(before)).toBe(true);
    const lines = jsonLines(readFileSync(out, "utf8")).sort((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1));
    for (const line of lines) expect(strictFlaw("preference", line)).toBeUndefined();
    expect(lines.map(({ id, trialNum, preferred, isConsistent, reasoning }) => [id, trialNum, preferred, isConsistent, reasoning])).toEqual(
      ["a", "b", "c"].map((id) => [id, 1, "b", true, ["by length", "by length"]]),
    );
    writeFileSync(path("rubric.md"), "The shorter one.\n");
    const other = await prefer("--judge", "claude", "-o", out, "--append");
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("a different rubric") });
  });

  test("a model's endpoint that always prefers the first one has no preference", { timeout: 120_000 }, async () => {
    const { prefer } = await twoFiles();
    await using model = await serveJudge(({ nonce }) =>
      completion(`I think so. {"nonce": "${nonce}", "better": "first", "reasoning": "one"}`),
    );
    const { code, stdout } = await prefer("--judge-url", model.url, "--judge-model", "scripted");
    expect(code).toBe(0);
    expect(jsonLines(stdout).map(({ preferred, isConsistent, judge }) => [preferred, isConsistent, judge])).toEqual(
      Array.from({ length: 3 }, () => ["neither", false, "scripted"]),
    );
  });

  test("J11, J12: a failed order is asked again with --append, the other one is kept, and totals have the cost", {
    timeout: 120_000,
  }, async () => {
    const { path, prefer } = await twoFiles();
    const out = path("preferences.jsonl");
    let isBroken = true;
    const usage = { prompt_tokens: 10, completion_tokens: 2, cost: 0.5 };
    await using model = await serveJudge(({ nonce, prompt }) => {
      const isSwapped = prompt.indexOf("long-name.txt") < prompt.indexOf("short.txt");
      if (isSwapped && isBroken && prompt.includes("Write b.")) return { status: 400, body: { error: { message: "no" } } };
      return completion(JSON.stringify({ nonce, better: isSwapped ? "first" : "second", reasoning: "" }), { usage });
    });
    const judge = ["--judge-url", model.url, "--judge-model", "m", "-o", out];
    const first = await prefer(...judge);
    expect(first).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/1 of 3 pairs not judged: m could not be asked: HTTP 400.*--append/),
    });
    expect(first.stderr).toMatch(/60 +\$2\.50/);
    const before = jsonLines(readFileSync(out, "utf8"));
    expect(before.find(({ id }) => id === "b")).toMatchObject({
      error: expect.stringContaining("HTTP 400"),
      orders: [
        { first: "a", preferred: "b" },
        { first: "b", error: expect.stringContaining("HTTP 400") },
      ],
      judging: { attempts: 2, cost: 0.5 },
    });
    for (const line of before) expect(strictFlaw("preference", line)).toBeUndefined();
    isBroken = false;
    const asked = model.calls.length;
    const again = await prefer(...judge, "--append");
    expect(model.calls.length - asked).toBe(1);
    expect(again).toMatchObject({ code: 0, stderr: expect.not.stringContaining("not judged") });
    const after = jsonLines(readFileSync(out, "utf8"));
    expect(new Set(after.map(({ id, preferred, error }) => `${id} ${preferred} ${error}`))).toEqual(
      new Set(["a b undefined", "b b undefined", "c b undefined"]),
    );
    expect(after).toHaveLength(3);
    expect(after.find(({ id }) => id === "b")).toMatchObject({ judging: { attempts: 3, cost: 1 } });
    expect(again.stderr).toMatch(/72 +\$3\.00/);
    for (const line of after) expect(strictFlaw("preference", line)).toBeUndefined();
  });

  test("J11: nothing judged is a failure and never “no difference shown”", { timeout: 120_000 }, async () => {
    const { path, prefer } = await twoFiles();
    await using model = await serveJudge(() => ({ status: 401, body: { error: { message: "bad key" } } }));
    const judge = ["--judge-url", model.url, "--judge-model", "m", "-o", path("preferences.jsonl")];
    const { code, stderr } = await prefer(...judge);
    expect(code).toBe(1);
    expect(stderr).toContain("nothing judged");
    expect(stderr).not.toContain("no difference shown");
    expect(stderr).toMatch(/harness: nothing was judged between .*HTTP 401 Unauthorized: bad key; ask again with --append/);
  });

  test("J10: --judge-timeout ends a judge that does not answer", { timeout: 120_000 }, async () => {
    const { prefer } = await twoFiles();
    await using model = await serveJudge(() => ({}));
    const { code, stdout } = await prefer("--judge-url", model.url, "--judge-model", "m", "--judge-timeout", "200ms", "--sample", "1");
    expect(code).toBe(1);
    expect(jsonLines(stdout)).toMatchObject([{ error: expect.stringContaining("no answer within 200 ms") }]);
  });

  test("J20: a file that is compared with itself has two labels", { timeout: 120_000 }, async () => {
    const { path, env } = await twoFiles();
    await using model = await serveJudge(({ nonce }) => completion(JSON.stringify({ nonce, better: "neither" })));
    const results = path("short.jsonl");
    const args = ["prefer", results, results, "--rubric", path("rubric.md"), "--judge-url", model.url, "--judge-model", "m"];
    const { code, stdout } = await harness(args, { env });
    expect(code).toBe(0);
    expect(jsonLines(stdout).map(({ a, b }) => [a, b])).toEqual(
      Array.from({ length: 3 }, () => [`generic (${results})`, `generic (${results}) #2`]),
    );
  });

  test("without a judge, a rubric or a pair it asks nothing", async () => {
    const { path, env, prefer, program } = await twoFiles();
    program("claude", JUDGE);
    expect(await prefer()).toMatchObject({ code: 2, stderr: expect.stringContaining("--judge") });
    const alone = ["prefer", path("short.jsonl"), "--rubric", path("rubric.md"), "--judge-url", "http://127.0.0.1:1", "--judge-model", "m"];
    expect(await harness(alone, { env })).toMatchObject({ code: 2, stderr: expect.stringContaining("Nothing to compare") });
    expect(await harness(["prefer", path("short.jsonl"), "--rubric", path("none.md"), "--judge", "claude"], { env })).toMatchObject({
      code: 2,
    });
  });
});

test("the sum of preferences: by whole cases, errors separate", () => {
  const opinion = (id: string, preferred: "a" | "b" | "neither", more: object = {}) => ({
    id,
    a: "x",
    b: "y",
    preferred,
    isConsistent: true,
    ...more,
  });
  const lines = [
    ...Array.from({ length: 8 }, (_, n) => opinion(`c${n}`, "b")),
    opinion("c8", "neither", { isConsistent: false }),
    opinion("c9", "neither", { isConsistent: false, error: "no answer" }),
  ];
  expect(preferenceSummary(lines)).toEqual([
    {
      a: "x",
      b: "y",
      cases: 9,
      pairs: 9,
      wins: 8,
      losses: 0,
      ties: 1,
      inconsistent: 1,
      nError: 1,
      p: 2 / 2 ** 8,
      pAdjusted: 2 / 2 ** 8,
      verdict: "better",
      judging: { usage: noTokens, costUsd: null },
      firstError: "no answer",
    },
  ]);
});
