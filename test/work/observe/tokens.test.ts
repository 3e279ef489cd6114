import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { EventBody } from "../../../src/pure/events/event.ts";
import type { ModelLedgerBody } from "../../../src/pure/events/index.ts";
import { noTokens, type Tokens } from "../../../src/pure/events/tokens.ts";
import { truth } from "../../../src/pure/views/truth/view.ts";
import { modelLedger } from "../../../src/work/observe/model-ledger.ts";
import { cleanUpFolders, folder } from "./support.ts";

afterAll(cleanUpFolders);

const charged: Tokens = { input: 300, cacheRead: 40, cacheWrite: 5, output: 30, reasoning: 7 };
const ledger: ModelLedgerBody = { type: "model-ledger", requests: 3, tokens: charged };

function judged(tokens: Tokens, fact: ModelLedgerBody | undefined = ledger) {
  const bodies: EventBody[] = [
    { type: "run-start", agent: "claude" },
    { type: "usage", scope: "total", tokens },
    ...(fact === undefined ? [] : [fact]),
    { type: "run-end", status: "completed", reason: "", exitCode: 0, signal: null, durationMs: null },
  ];
  const view = truth.open({});
  return bodies.flatMap((body, i) => view.push({ seq: i + 1, at: 1, from: [], provenance: "observed", body }))[0];
}

describe("the agent's reported usage against the model's ledger", () => {
  test.each<[string, Tokens]>([
    ["every class", charged],
    ["some classes", { ...noTokens, cacheRead: 40 }],
    ["reasoning counted as output", { ...charged, output: 37, reasoning: null }],
    ["output without unreported reasoning", { ...charged, reasoning: null }],
    ["the cache counted as input", { input: 345, cacheRead: null, cacheWrite: null, output: 30, reasoning: 7 }],
  ])("the same: %s", (_, tokens) => {
    const found = judged(tokens);
    expect(found?.findings).toEqual([]);
    expect(found?.unobservable.map(({ rule }) => rule)).not.toContain("tokens-differ");
  });

  test.each<[string, Tokens, string]>([
    ["too few", { ...charged, output: 3 }, "output 3"],
    ["zero is a number too", { ...charged, input: 0, cacheRead: 0 }, "input 0, cacheRead 0"],
  ])("not the same: %s", (_, tokens, said) => {
    expect(judged(tokens)?.findings).toMatchObject([
      { rule: "tokens-differ", declared: { text: said, events: [2] }, observed: { events: [3] } },
    ]);
  });

  test("unknown values are reported as unknown", () => {
    const reason = (...given: Parameters<typeof judged>) =>
      judged(...given)?.unobservable.find(({ rule }) => rule === "tokens-differ")?.reason;
    expect(reason(noTokens)).toBe("the agent reported no token counts");
    expect(reason(charged, { type: "model-ledger", requests: null, tokens: noTokens, problem: "it is gone" })).toBe("it is gone");
  });
});

describe("the ledger's file", () => {
  const line = (kind: string, output: number) => `${JSON.stringify({ seq: 1, kind, usage: { ...charged, output } })}\n`;

  test("counts lines added during the watch, only complete lines of turns", () => {
    const file = join(folder(), "ledger.jsonl");
    writeFileSync(file, line("turn", 1000));
    const watched = modelLedger(file);
    appendFileSync(file, `${line("turn", 1)}${line("other", 50)}no JSON\n${line("side", 2)}`);
    expect(watched.read().body).toEqual({
      type: "model-ledger",
      requests: 2,
      tokens: { input: 600, cacheRead: 80, cacheWrite: 10, output: 3, reasoning: 14 },
    });
  });

  test("a missing file is an error", () => {
    expect(() => modelLedger(join(folder(), "nothing"))).toThrow("Cannot read the ledger");
  });
});
