import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { trialClasses } from "../../../src/pure/verdicts/index.ts";
import { cleanUp, type Place, place } from "../../support/place.ts";
import { expectAccessible, keepPicture, launch, look, type Seen, SIGHTS, widthOf } from "./browser.ts";
import { payloads } from "./hostile.ts";
import { record } from "./recorded.ts";
import { hostileCases, resultLines } from "./results-lines.ts";
import { type Visited, visited } from "./server.ts";

/** An evaluation in a real browser: the numbers of `harness compare`, down to the run of each trial. */

let browser: Browser;
let where: Place;
let run: string;
const folder = mkdtempSync(join(tmpdir(), "harness-results-"));
const file = (name: string) => join(folder, name);
const open: Visited[] = [];
beforeAll(async () => {
  where = place();
  browser = await launch();
  run = await record(where, "claude/full");
});
afterAll(async () => {
  await browser?.close();
  for (const page of open) await page.close();
  rmSync(folder, { recursive: true, force: true });
  cleanUp();
});

async function served(...results: readonly string[]): Promise<Visited> {
  const page = await visited(where, { results });
  open.push(page);
  return page;
}

const agents = ["opencode", "claude", "codex"]; // not sorted by name, as the report is

describe("an evaluation", () => {
  const path = file("trials.jsonl");
  let shared: Visited;
  beforeAll(async () => {
    const cases = Array.from({ length: 60 }, (_, i) => `${["parse", "render", "retry", "cache", "migrate"][i % 5]}-${i + 1}`);
    writeFileSync(path, resultLines({ cases, agents, k: 5, run }));
    shared = await served(path);
  });

  test.each(SIGHTS)("shows pass rates with intervals ($width, $scheme)", async (sight) => {
    const seen = await look(browser, `${shared.url}/results`, sight);
    await seen.page.waitForSelector(".matrix-list .cell");
    expect(await seen.page.locator(".rates li").count()).toBe(3);
    expect(await seen.page.locator(".differences li").count()).toBe(3);
    expect(await widthOf(seen)).toBeLessThanOrEqual(sight.width ?? 0);
    await expectAccessible(seen);
    await keepPicture(seen, `results-${sight.width}-${sight.scheme}`);
    if (sight.width === 390) {
      await seen.page.locator(".matrix").scrollIntoViewIfNeeded();
      await keepPicture(seen, `results-cases-${sight.width}-${sight.scheme}`);
    }
    await seen.page.locator(".matrix-list .cell").first().click();
    await seen.page.waitForSelector(".trial");
    expect(await widthOf(seen)).toBeLessThanOrEqual(sight.width ?? 0);
    await expectAccessible(seen);
    await keepPicture(seen, `results-case-${sight.width}-${sight.scheme}`);
    expect(seen.troubles).toEqual([]);
    await seen.close();
  });

  test("the numbers equal those of harness compare", async () => {
    const page = (await (await shared.get("/api/results")).json()) as { sides: object[]; pairs: object[]; cases: number };
    const done = await where.harness(["compare", path, "--json"]);
    const report = JSON.parse(done.stdout) as { sides: object[]; pairs: object[] };
    expect(page.sides).toMatchObject(report.sides);
    expect(page.pairs).toEqual(report.pairs);
    expect(page.cases).toBe(60);
    const [row] = (await (await shared.get("/api/results/rows")).json()) as { key: string; cells: number[][] }[];
    const detail = (await (await shared.get(`/api/results/${row?.key}`)).json()) as {
      sides: { label: string; trials: { class: string }[] }[];
    };
    expect(detail.sides.map(({ label }) => label)).toEqual(page.sides.map((side) => (side as { label: string }).label));
    expect(detail.sides.map(({ trials }) => trials.filter((trial) => trial.class === "passed").length)).toEqual(
      row?.cells.map(([, passed]) => passed),
    );
    const sums = (await (await shared.get("/api/results/rows")).json()) as { cells: number[][] }[];
    const sum = (side: number, place: number) => sums.reduce((all, { cells }) => all + (cells[side]?.[place] ?? 0), 0);
    for (const [i, side] of page.sides.entries())
      expect(side).toMatchObject({
        graded: sum(i, 0),
        classes: Object.fromEntries(trialClasses.map((each, place) => [each, sum(i, place + 1)])),
      });
  });

  test("a cell links to its trials, and a trial to its run", async () => {
    const seen = await look(browser, `${shared.url}/results`);
    await seen.page.locator(".matrix-row .case", { hasText: "parse-1" }).first().click();
    await seen.page.waitForSelector(".trial");
    expect(await seen.page.locator(".trial").count()).toBe(15);
    expect(await seen.page.locator(".trial").nth(1).textContent()).toContain("is not here");
    await seen.page.getByText("Timeline of the run").first().click();
    await seen.page.waitForSelector(".event .body > :not(.skeleton)");
    expect(seen.page.url()).toContain(`#/runs/${run}`);
    await seen.page.goBack();
    await seen.page.waitForSelector(".trial");
    expect(seen.troubles).toEqual([]);
    await seen.close();
  });

  test("searches, filters, and says what to do if nothing matches", async () => {
    const seen = await look(browser, `${shared.url}/results`);
    const rows = seen.page.locator(".matrix-list .matrix-row");
    await seen.page.waitForSelector(".matrix-list .cell");
    await seen.page.fill("#search", "retry-3");
    await expect.poll(() => rows.count()).toBe(3); // 3, 33, 38
    await seen.page.fill("#search", "");
    await seen.page.selectOption('select[aria-label="Only these cases"]', "troubled");
    await expect.poll(() => seen.page.locator(".matrix .line").textContent()).toMatch(/\d+ of 60 cases/);
    expect(await seen.page.locator(".matrix-list .cell-mark").count()).toBeGreaterThan(0);
    await seen.page.fill("#search", "no such case");
    await seen.page.getByText("No matching case").waitFor();
    await seen.page.click("text=Show all cases");
    await seen.page.waitForSelector(".matrix-list .cell");
    await seen.close();
  });
});

test("a real evaluation opens from the command line and grows on the page", { timeout: 120_000 }, async () => {
  const cases = file("cases.jsonl");
  const results = file("live.jsonl");
  writeFileSync(cases, ["Hello there", "Bye"].map((input, i) => `${JSON.stringify({ id: `c${i}`, input, expected: "Hello" })}\n`).join(""));
  await where.harness(["trials", cases, "--agent", "generic", "--command", "echo {prompt}", "-g", "contains", "-k", "2", "-o", results]);
  const view = where.start(["view", results, "--port", "0", "--no-open"]);
  await view.printed("\n");
  const url = view.text().trim();
  expect(url).toMatch(/#token=[\w-]+\/results$/);
  const seen = await look(browser, url);
  await seen.page.waitForSelector(".matrix-list .cell");
  expect((await seen.page.locator(".matrix-list .cell").allTextContents()).map((text) => /\d\/\d/.exec(text)?.[0])).toEqual(["2/2", "0/2"]);
  appendFileSync(results, resultLines({ cases: ["another"], agents: ["codex"], k: 2, run }));
  await expect.poll(() => seen.page.locator(".rates li").count(), { timeout: 30_000 }).toBe(2);
  await seen.page.locator(".matrix-list .matrix-row", { hasText: "c0" }).locator("a.cell").click();
  await seen.page.getByText("Timeline of the run").first().click();
  await seen.page.waitForSelector(".event .body > :not(.skeleton)");
  expect(seen.troubles).toEqual([]);
  await seen.close();
  view.child.kill("SIGTERM");
  expect((await view.done).code).toBe(0);
});

describe("with broken results", () => {
  const wrong = async (setUp: (path: string) => void, message: string, name: string) => {
    const path = file(`${name}.jsonl`);
    setUp(path);
    const page = await served(path);
    const seen = await look(browser, `${page.url}/results`);
    await seen.page.getByText(message).first().waitFor();
    await keepPicture(seen, `results-${name}`);
    await seen.close();
  };

  test("an empty file", () => wrong((path) => writeFileSync(path, ""), "No results yet", "empty"));
  test("a damaged line", () =>
    wrong((path) => writeFileSync(path, '{"id":"a","input":""}\nnonsense\n'), "not a line of capture", "damaged"));
  test("a missing file", () => wrong(() => {}, "there is no such file", "gone"));

  test("without results it says so, and reads no other file", async () => {
    const none = await served();
    const seen = await look(browser, `${none.url}/results`);
    await seen.page.getByText("No results are open").waitFor();
    await expectAccessible(seen);
    await seen.close();
    const path = file("one.jsonl");
    writeFileSync(path, resultLines({ cases: ["a"], agents: ["claude"], k: 1, run }));
    const page = await served(path);
    const statuses = ["/..%2fone.jsonl", "/x", `/${"0".repeat(16)}`, "/rows?from=-1", "s", "?path=/etc/passwd"].map(
      async (rest) => (await page.get(`/api/results${rest}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([404, 404, 404, 400, 404, 200]);
  });

  test.each([
    [["nowhere.jsonl", "gone.jsonl"], "is not a result file"],
    [[file("damaged.jsonl"), "last"], "is not a result file"],
    [[file("cases-only.txt")], "not a line of capture or trials"],
  ])("the command line rejects %s", async (names, message) => {
    writeFileSync(file("damaged.jsonl"), "nonsense\n");
    writeFileSync(file("cases-only.txt"), "nonsense\n");
    const done = await where.harness(["view", ...names, "--port", "0", "--no-open"]);
    expect(done.code).toBe(2);
    expect(done.stderr).toContain(message);
  });
});

test("hostile names, answers and reasons are shown and do no harm", async () => {
  const path = file("hostile.jsonl");
  writeFileSync(path, resultLines({ cases: hostileCases, agents: payloads.slice(0, 3), k: 2, run: payloads[2] ?? "" }));
  const page = await served(path);
  const seen = await look(browser, `${page.url}/results`);
  await seen.page.waitForSelector(".matrix-list .cell");
  await expectHarmless(seen);
  await keepPicture(seen, "results-hostile");
  for (const [i, key] of ((await (await page.get("/api/results/rows")).json()) as { key: string }[]).map((row) => row.key).entries()) {
    if (i % 5 !== 0) continue;
    await seen.page.evaluate(`location.hash = "#/results/${key}"`);
    await seen.page.waitForSelector(".trial");
    await expectHarmless(seen);
  }
  expect(seen.troubles).toEqual([]);
  await seen.close();
});

async function expectHarmless({ page }: Seen): Promise<void> {
  expect(await page.evaluate("window.pwned")).toBeUndefined();
  const foreign = "iframe, object, embed, form, img, #page script, #page style, #page link, #page [onclick], #page [onerror]";
  expect(await page.locator(foreign).count()).toBe(0);
  const links = (await page.evaluate("[...document.querySelectorAll('a')].map((a) => a.protocol)")) as string[];
  expect(new Set(links)).toEqual(new Set(["http:"]));
}
