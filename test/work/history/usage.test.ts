import { appendFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { importSessions, type UsageOptions, usageBy } from "../../../src/work/history/index.ts";
import { cleanUp, place } from "../../support/place.ts";
import { copyHome, storedRun } from "./stores.ts";

const here = place();
afterAll(cleanUp);

const root = join(here.root, "usage");
const data = join(root, "data");
mkdirSync(root, { recursive: true });

/** Imports all of a fixture's sessions into the data directory. */
async function imported(name: string): Promise<string> {
  const home = copyHome(storedRun(name), join(root, name.replace("/", "-")));
  for await (const _ of importSessions({ dataDirectory: data, home, environment: {} }));
  return home;
}

const usage = (options: UsageOptions = {}) => usageBy({ dataDirectory: data, environment: { HOME: root }, ...options });

describe("what imported sessions used", async () => {
  await imported("codex/mix");
  await imported("opencode/mix");
  await imported("cline/mix");
  const pi = await imported("pi/mix");

  test("is what the model served, by agent", async () => {
    const served = storedRun("codex/mix").served;
    const rows = await usage({ by: "agent" });
    expect(new Set(rows.map(({ key }) => key))).toEqual(new Set(["cline", "codex", "opencode", "pi"]));
    const { tokens } = rows.find(({ key }) => key === "codex") ?? {};
    expect(tokens).toEqual({ ...served, output: (served?.["output"] ?? 0) - (served?.["reasoning"] ?? 0) });
  });

  test("is the same in every grouping", async () => {
    const totals = await Promise.all(
      (["day", "week", "month", "model", "agent", "project", "session"] as const).map(async (by) => {
        const rows = await usage({ by });
        const sum = (of: (row: (typeof rows)[number]) => number | null) => rows.reduce((all, row) => all + (of(row) ?? 0), 0);
        return [sum(({ runs }) => runs), sum(({ tokens }) => tokens.input), sum(({ toolCalls }) => toolCalls)];
      }),
    );
    expect(new Set(totals.map(String)).size).toBe(1);
    expect(totals[0]?.[0]).toBe(4);
  });

  test("reported cost is kept apart from priced cost, and an unknown price is not zero", async () => {
    const rows = await usage({ by: "agent" });
    const opencode = rows.find(({ key }) => key === "opencode");
    expect(opencode).toMatchObject({ pricedUsd: null, unpriced: 0 });
    expect(opencode?.reportedUsd).toBeCloseTo(0.0061705, 6);
    expect(rows.find(({ key }) => key === "codex")).toMatchObject({ costUsd: expect.any(Number), reportedUsd: null, unpriced: 0 });
    expect(rows.find(({ key }) => key === "cline")).toMatchObject({ costUsd: null, unpriced: 1 });
  });

  test("runs are chosen by agent, directory and time", async () => {
    expect((await usage({ agent: "pi" })).map(({ runs }) => runs)).toEqual([1]);
    expect(await usage({ project: "/work" })).toEqual([]);
    expect((await usage({ project: "/workspace", by: "project" })).map(({ key, runs }) => [key, runs])).toEqual([["/workspace", 4]]);
    expect(await usage({ since: Date.now() + 400 * 86_400_000 })).toEqual([]);
  });

  test("a session that grew counts once", async () => {
    const folder = join(pi, ".pi/agent/sessions/--workspace--");
    const [file = ""] = readdirSync(folder);
    const before = await usage({ by: "agent" });
    appendFileSync(
      join(folder, file),
      '{"type":"message","id":"zz","parentId":null,"timestamp":"2026-11-16T00:00:00.000Z","message":{"role":"user","content":"And now?"}}\n',
    );
    const states: string[] = [];
    for await (const { state } of importSessions({ dataDirectory: data, home: pi, environment: {} })) states.push(state);
    expect(states).toEqual(["grown"]);
    expect((await usage({ by: "agent" })).map(({ key, runs, tokens }) => [key, runs, tokens])).toEqual(
      before.map(({ key, runs, tokens }) => [key, runs, tokens]),
    );
  });
});

describe("harness usage", () => {
  test("prints one object per group in a pipe", async () => {
    await here.start(["import"], { env: { HOME: storedRun("codex/mix").home } }).done;
    const { code, stdout } = await here.start(["usage", "--by", "agent"]).done;
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { by: "agent", key: "codex", runs: 1, tokens: { cacheRead: 1605 } }]);
  });

  test("an unknown grouping is wrong usage", async () => {
    const { code, stderr } = await here.start(["usage", "--by", "mood"]).done;
    expect([code, stderr]).toEqual([2, expect.stringContaining("--by")]);
  });
});
