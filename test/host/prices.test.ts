import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { overridesIn, priceOf, ratesOf, setOverride, TABLE } from "../../src/host/prices/index.ts";
import { noTokens } from "../../src/pure/events/index.ts";
import { cleanUp, directory, harness, jsonLines, ROOT } from "../support/harness.ts";

const place = mkdtempSync(join(tmpdir(), "harness-prices-"));
afterAll(() => {
  rmSync(place, { recursive: true, force: true });
  cleanUp();
});

const none = { XDG_CONFIG_HOME: join(place, "none") };
const tokens = { ...noTokens, input: 1_000_000, output: 100_000 };

test("the name of the table is the version that is installed", () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { dependencies: Record<string, string> };
  expect(TABLE).toBe(`genai-prices ${dependencies["@pydantic/genai-prices"]}`);
});

describe("a computed cost", () => {
  test("counts every class of tokens once, at its own rate", async () => {
    const rates = await ratesOf("claude-opus-4-5", none);
    expect(rates).toMatchObject({ input: 5, cacheRead: 0.5, cacheWrite: 6.25, output: 25, table: TABLE });
    const used = { input: 1000, cacheRead: 2000, cacheWrite: 400, output: 300, reasoning: 100 };
    const price = await priceOf(used, { model: "claude-opus-4-5", env: none });
    expect(price?.costUsd).toBeCloseTo((1000 * 5 + 2000 * 0.5 + 400 * 6.25 + 400 * 25) / 1e6, 12);
    expect(price).toMatchObject({ model: "claude-opus-4-5", table: TABLE });
  });

  test.each(["anthropic/claude-opus-4-5", "claude-opus-4-5[1m]"])("finds %s", async (model) => {
    expect(await priceOf(tokens, { model, env: none })).toMatchObject({ model: "claude-opus-4-5" });
  });

  test("stays unknown if the model or its tokens are unknown", async () => {
    expect(await priceOf(tokens, { model: "a-model-that-no-one-sells", env: none })).toBeUndefined();
    expect(await priceOf({ ...tokens, output: null }, { model: "gpt-5", env: none })).toBeUndefined();
    expect(await priceOf(noTokens, { model: "gpt-5", env: none })).toBeUndefined();
  });
});

describe("your own rates", () => {
  const env = { XDG_CONFIG_HOME: join(place, "own") };

  test("win, are labelled, and can be removed", async () => {
    setOverride("gpt-5", { input: 1, output: 2, cacheRead: null, cacheWrite: null }, env);
    expect(await priceOf({ ...tokens, cacheRead: 1_000_000 }, { model: "gpt-5", env })).toEqual({
      costUsd: 2.2,
      model: "gpt-5",
      table: "override",
    });
    setOverride("gpt-5", undefined, env);
    expect(overridesIn(env).size).toBe(0);
    expect(await priceOf(tokens, { model: "gpt-5", env })).toMatchObject({ table: TABLE });
  });

  test("in a file that is not valid are an error", () => {
    const bad = { XDG_CONFIG_HOME: join(place, "bad") };
    mkdirSync(join(place, "bad/harness"), { recursive: true });
    writeFileSync(join(place, "bad/harness/prices.json"), '{"gpt-5":{"input":"1"}}');
    expect(() => overridesIn(bad)).toThrow("prices.json is not valid at gpt-5.input");
  });

  test("are set, shown and removed by the command", async () => {
    const own = { XDG_CONFIG_HOME: directory() };
    expect(await harness(["prices", "mine"], { env: own })).toMatchObject({ code: 1, stderr: expect.stringContaining("stays unknown") });
    expect(await harness(["prices", "set", "mine", "--input", "0.5", "--output", "2"], { env: own })).toMatchObject({ code: 0 });
    expect(jsonLines((await harness(["prices", "mine", "gpt-5"], { env: own })).stdout)).toMatchObject([
      { name: "mine", input: 0.5, output: 2, cacheRead: null, table: "override" },
      { name: "gpt-5", input: 1.25, table: TABLE },
    ]);
    expect(await harness(["prices", "remove", "mine"], { env: own })).toMatchObject({ code: 0 });
    expect(await harness(["prices", "remove", "mine"], { env: own })).toMatchObject({ code: 2 });
    expect(await harness(["prices", "set", "mine", "--input", "x", "--output", "2"], { env: own })).toMatchObject({ code: 2 });
  });
});
