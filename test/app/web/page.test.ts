import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sample } from "../../support/full.ts";
import { agent, cleanUp, type Place, place } from "../../support/place.ts";
import { eventsOf, expectAccessible, expectRows, keepPicture, launch, look, type Seen, SIGHTS, type Sight, widthOf } from "./browser.ts";
import { record, scriptOf } from "./recorded.ts";
import { type Visited, visited } from "./server.ts";

/** Every screen, in a real browser, over recordings of real agents. */

let browser: Browser;
let where: Place;
let page: Visited;
const runs = new Map<string, string>();
beforeAll(async () => {
  where = place();
  browser = await launch();
  for (const fixture of ["claude/full", "codex/full", "opencode/full", "goose/full", "claude/subagent", "claude/write-and-edit"]) {
    runs.set(fixture, await record(where, fixture, ["--tag", fixture.split("/")[0] ?? ""], 0.05));
  }
  page = await visited(where);
});
afterAll(async () => {
  await browser?.close();
  await page?.close();
  cleanUp();
});

const nameOf = ({ width, scheme }: Sight) => `${width}-${scheme}`;

async function openRun(fixture: string, sight?: Sight, rest = ""): Promise<Seen> {
  const seen = await look(browser, `${page.url}/runs/${runs.get(fixture)}${rest}`, sight);
  await eventsOf(seen);
  return seen;
}

async function callsOf(fixture: string): Promise<number> {
  const text = await (await page.get(`/api/runs/${runs.get(fixture)}/events?seq=1-500`)).text();
  return text.split("\n").filter((line) => line.includes('"type":"tool-start"')).length;
}

describe("the list of runs", () => {
  test.each(SIGHTS)("shows the runs, and each run its events ($width, $scheme)", async (sight) => {
    const seen = await look(browser, page.url, sight);
    await seen.page.waitForSelector(".run-item");
    expect(await seen.page.locator(".run-item").count()).toBe(runs.size);
    expect(seen.page.url()).not.toContain("token");
    expect(await seen.page.locator(".run-item").first().textContent()).toContain("completed");
    expect(await widthOf(seen)).toBeLessThanOrEqual(sight.width ?? 0);
    await expectAccessible(seen);
    await keepPicture(seen, `runs-${nameOf(sight)}`);
    await seen.page.evaluate(`location.hash = "#/runs/${runs.get("claude/full")}"`);
    await eventsOf(seen);
    expect(await seen.page.locator(".run-head").textContent()).toContain("completed");
    await expectRows(seen);
    await expectAccessible(seen);
    await keepPicture(seen, `run-${nameOf(sight)}`);
    expect(await widthOf(seen)).toBeLessThanOrEqual(sight.width ?? 0);
    expect(seen.troubles).toEqual([]);
    await seen.close();
  });

  test("searches and filters, and says what to do if nothing matches", async () => {
    const seen = await look(browser, page.url);
    const items = seen.page.locator(".run-item");
    await seen.page.fill("#search", "goose/full");
    await expect.poll(() => items.count()).toBe(1);
    await seen.page.fill("#search", `${new Date().getFullYear()}-`);
    await expect.poll(() => items.count()).toBe(runs.size);
    await seen.page.fill("#search", "2019-");
    await expect.poll(() => items.count()).toBe(0);
    await seen.page.fill("#search", "");
    await seen.page.selectOption('select[aria-label="Only with this agent"]', "claude");
    await expect.poll(() => items.count()).toBe(3);
    await seen.page.selectOption('select[aria-label="Only with this tag"]', "goose");
    await seen.page.getByText("No matching run").waitFor();
    await seen.page.click("text=Show all runs");
    await expect.poll(() => items.count()).toBe(runs.size);
    await seen.page.selectOption('select[aria-label="Only with this tag"]', "opencode");
    await items.locator(".title").click();
    await seen.page.waitForSelector(".run-head");
    expect(seen.page.url()).toContain(`#/runs/${runs.get("opencode/full")}`);
    await expect.poll(() => seen.page.evaluate("document.activeElement.id")).toBe("main"); // the keyboard continues there
    await seen.page.goBack();
    await seen.page.waitForSelector(".run-item");
    await seen.close();
  });

  test("searches inside the runs", async () => {
    const seen = await look(browser, page.url);
    await seen.page.fill("#search", "echo hello-stdout");
    await seen.page.getByText("No matching run").waitFor();
    await seen.page.click("text=Search inside the runs");
    await seen.page.waitForSelector(".run-item");
    await expect.poll(() => seen.page.locator(".run-item").count()).toBeGreaterThan(0);
    expect(await seen.page.locator(".run-item").count()).toBeLessThan(runs.size);
    await seen.page.click(".filters .chip");
    await expect.poll(() => seen.page.locator(".run-item").count()).toBe(runs.size);
    await seen.page.fill("#search", "notes.txt");
    await seen.page.selectOption('select[aria-label="Search in"]', "path");
    await seen.page.click("text=Search inside the runs");
    await seen.page.getByText("path: notes.txt ✕").waitFor();
    expect(await seen.page.locator(".run-item").count()).toBe((await found("notes.txt", "path")).length);
    expect(seen.troubles).toEqual([]);
    await seen.close();
  });

  async function found(text: string, place: string): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const part = await page.get(`/api/find?q=${encodeURIComponent(text)}&in=${place}${next === "" ? "" : `&before=${next}`}`);
      const { ids: some, next: later } = (await part.json()) as { ids: string[]; next: string | null };
      ids.push(...some);
      next = later;
    }
    return ids;
  }

  test("finds a tool by its name and a file by its path, not in messages", async () => {
    expect(await found("Edit", "tool")).toContain(runs.get("claude/write-and-edit"));
    expect((await found("Edit", "tool")).length).toBeLessThan(runs.size);
    expect(await found("echo hello-stdout", "path")).toEqual([]);
    expect(await found("echo hello-stdout", "tool")).toEqual([]);
    expect((await found("NOTES.txt", "path")).length).toBeGreaterThan(1);
    expect((await page.get("/api/find?q=x&in=nowhere")).status).toBe(400);
  });

  test("without runs, says how to start", async () => {
    const empty = place();
    const other = await visited(empty);
    const seen = await look(browser, other.url);
    await seen.page.getByText("No runs yet").waitFor();
    await keepPicture(seen, "runs-empty");
    expect(seen.troubles).toEqual([]);
    await seen.close();
    await other.close();
  });

  test("without the token, says how to get in", async () => {
    const seen = await look(browser, `http://127.0.0.1:${page.port}/`);
    await seen.page.getByText("You need the address with the token").waitFor();
    await keepPicture(seen, "not-known");
    await seen.close();
  });
});

describe("a run", () => {
  test.each(sample(["claude/full", "codex/full", "opencode/full", "goose/full"], 2))(
    "%s: the page gets what derive prints, and shows all of it",
    async (fixture) => {
      const id = runs.get(fixture) ?? "";
      const derived = await where.harness(["derive", id, "--view", "log", "--json"]);
      const lines = derived.stdout.trimEnd().split("\n");
      const served = await (await page.get(`/api/runs/${id}/events?seq=1-${lines.length}`)).text();
      expect(served).toBe(derived.stdout);
      const seen = await openRun(fixture, { width: 1440, height: 4000 });
      const shown = await seen.page.locator(".events").textContent();
      const messages = lines.map((line) => JSON.parse(line)).filter(({ type, role }) => type === "message" && role === "assistant");
      expect(messages.length).toBeGreaterThan(0);
      for (const { text } of messages) expect(shown).toContain(text.split("\n")[0].replace(/[`*]/g, "").slice(0, 30));
      const calls = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === "tool-start");
      expect(await seen.page.locator(".tool").count()).toBe(calls.length);
      await keepPicture(seen, `run-${fixture.replace("/", "-")}`);
      expect(seen.troubles).toEqual([]);
      await seen.close();
    },
  );

  test("by keyboard: moves through the events, opens one, shows its bytes", async () => {
    const seen = await openRun("claude/write-and-edit");
    const { page: tab } = seen;
    for (let i = 0; i < 3; i++) await tab.keyboard.press("j");
    await tab.keyboard.press("k");
    const selected = Number(/\/(\d+)$/.exec(tab.url())?.[1]);
    expect(selected).toBeGreaterThan(1);
    await tab.locator(".tool.op-write").first().click();
    const seq = Number(/\/(\d+)$/.exec(tab.url())?.[1]);
    await tab.keyboard.press("r");
    await tab.waitForSelector(".inspector .long-text >> nth=1");
    const event = (await (await page.get(`/api/runs/${runs.get("claude/write-and-edit")}/events/${seq}`)).json()) as {
      from: { offset: number; length: number }[];
    };
    const { offset = 0, length = 0 } = event.from[0] ?? {};
    const raw = readFileSync(join(where.runs, runs.get("claude/write-and-edit") ?? "", "raw.jsonl")).subarray(offset, offset + length);
    await tab.locator(".inspector button", { hasText: "Show all" }).last().click();
    expect(await tab.locator(".inspector pre").last().textContent()).toBe(raw.toString());
    await expectAccessible(seen);
    await keepPicture(seen, "run-inspector");
    await tab.keyboard.press("Escape");
    await expect.poll(() => tab.locator(".inspector").count()).toBe(0);
    await tab.keyboard.press("?");
    await tab.waitForSelector("dialog[open]");
    expect(seen.troubles).toEqual([]);
    await seen.close();
  });

  test("a link opens its event; a change is a diff", async () => {
    const id = runs.get("claude/write-and-edit") ?? "";
    const lines = (await (await page.get(`/api/runs/${id}/events?seq=1-100`)).text()).trimEnd().split("\n");
    const edit = lines.map((line) => JSON.parse(line)).find(({ type, tool }) => type === "tool-start" && tool === "Edit");
    const seen = await openRun("claude/write-and-edit", undefined, `/${edit.seq}`);
    await seen.page.waitForSelector(`#event-${edit.seq}.selected`);
    await seen.page.keyboard.press("Enter");
    await seen.page.waitForSelector(`#event-${edit.seq} .diff .removed`);
    expect(await seen.page.locator(`#event-${edit.seq} .diff .removed`).textContent()).toContain("second");
    expect(await seen.page.locator(`#event-${edit.seq} .diff .added`).textContent()).toContain("changed");
    await keepPicture(seen, "run-diff");
    await seen.close();
  });

  test("searches everything, filters by kind, shows subagents as lanes", async () => {
    const seen = await openRun("claude/subagent");
    await seen.page.keyboard.press("/");
    await seen.page.keyboard.type("README.md");
    await seen.page.getByText(/[1-9] match/).waitFor();
    await seen.page.keyboard.press("Enter");
    await seen.page.waitForSelector(".event.hit.selected");
    expect(await seen.page.locator(".event.nested .lane").first().textContent()).toContain("general-purpose");
    await seen.page.fill("#search", "");
    const before = await seen.page.locator(".message").count();
    await seen.page.click('.chip:has-text("Messages")');
    await expect.poll(() => seen.page.locator(".message.assistant").count()).toBe(0);
    expect(before).toBeGreaterThan(0);
    await seen.page.click('.chip:has-text("Details")');
    await seen.page.waitForSelector(".event.is-usage");
    await expectRows(seen);
    await seen.close();
  });

  test("replays up to any moment", async () => {
    const seen = await openRun("claude/full", { width: 1440, height: 3000 });
    const all = await seen.page.locator(".event").count();
    await seen.page.locator('input[type="range"]').fill("1");
    await expect.poll(() => seen.page.locator(".event").count()).toBeLessThan(all);
    await seen.page
      .locator('input[type="range"]')
      .fill(await seen.page.locator('input[type="range"]').evaluate((range) => String(0.9 * Number(range.getAttribute("max")))));
    await expectRows(seen);
    await seen.page.click('[aria-label="Replay the run"]');
    await expect.poll(() => seen.page.locator(".event").count(), { timeout: 30_000 }).toBe(all);
    await seen.close();
  });

  test.each(SIGHTS)("plots and graph: subagents are branches, a step links to its event ($width, $scheme)", async (sight) => {
    const seen = await openRun("claude/full", sight, "/timeline");
    await seen.page.click('.tabs a:has-text("Plots")');
    await seen.page.waitForSelector(".waterfall .stretch");
    expect(await seen.page.locator(".waterfall li").count()).toBe(await callsOf("claude/full"));
    await seen.page.waitForSelector('svg[aria-label^="Tokens: 17.4k"]');
    await expectAccessible(seen);
    await keepPicture(seen, `plots-${nameOf(sight)}`);
    await seen.page.locator(".waterfall a").first().click();
    await seen.page.waitForSelector(".event.selected");
    await seen.page.click('.tabs a:has-text("About")');
    await seen.page.getByText("run.json").waitFor();
    const { isolation } = JSON.parse(await (await page.get(`/api/runs/${runs.get("claude/full")}`)).text()).about;
    const walls = await seen.page.locator(".walls").textContent();
    for (const each of [isolation.level, isolation.tool, isolation.network].filter(Boolean)) expect(walls).toContain(each);
    await expectAccessible(seen);
    expect(await widthOf(seen)).toBeLessThanOrEqual(sight.width ?? 0);
    await seen.page.evaluate(`location.hash = "#/runs/${runs.get("claude/subagent")}/timeline"`);
    await seen.page.click('.tabs a:has-text("Graph")');
    await seen.page.waitForSelector(".graph .step");
    const drawn = await where.harness(["graph", runs.get("claude/subagent") ?? "", "--format", "svg"]);
    const steps = drawn.stdout.split('<g class="step').length - 1;
    expect(steps).toBeGreaterThan(3);
    expect(await seen.page.locator(".graph .step").count()).toBe(steps);
    expect(await seen.page.locator(".graph path.branch").count()).toBe(1);
    await seen.page.click('[aria-label="Smaller"]');
    await seen.page.keyboard.press("-");
    await seen.page.getByText("60 %").waitFor();
    await seen.page.keyboard.press("+");
    await seen.page.getByText("80 %").waitFor();
    await expectAccessible(seen);
    await keepPicture(seen, `graph-${nameOf(sight)}`);
    await seen.page.locator(".graph a", { hasText: "Read" }).first().click();
    await seen.page.waitForSelector(".event.selected");
    expect(seen.troubles).toEqual([]);
    await seen.close();
  });

  test("views derived in the browser equal the output of derive", async () => {
    const id = runs.get("claude/full") ?? "";
    const seen = await openRun("claude/full", undefined, "/timeline");
    await seen.page.click('.tabs a:has-text("Views")');
    for (const view of ["activity", "stream", "markdown", "summary"]) {
      await seen.page.click(`a.chip:text-is("${view}")`);
      const [saved] = await Promise.all([seen.page.waitForEvent("download"), seen.page.click("text=/^Download/")]);
      const printed = await where.harness(["derive", id, "--view", view, ...(view === "markdown" ? [] : ["--json"])]);
      expect(readFileSync(await saved.path(), "utf8"), view).toBe(printed.stdout);
    }
    await expectAccessible(seen);
    await keepPicture(seen, "views");
    expect(seen.troubles).toEqual([]);
    await seen.close();
  });

  test("an exported file shows the same, without a network", async () => {
    const file = join(where.root, "run.html");
    const id = runs.get("claude/subagent") ?? "";
    expect(await where.harness(["view", id, "--export", file])).toMatchObject({ code: 0, stdout: `${file}\n` });
    expect((await where.harness(["view", id, "--export", file])).code).toBe(2);
    const live = await openRun("claude/subagent", { height: 2000 });
    const seen = await look(browser, pathToFileURL(file).href, { offline: true, height: 2000 });
    await eventsOf(seen);
    expect(await seen.page.locator(".events").textContent()).toBe(await live.page.locator(".events").textContent());
    expect(await seen.page.locator(".run-head").textContent()).toBe(await live.page.locator(".run-head").textContent());
    await seen.page.fill("#search", "README.md");
    await seen.page.getByText(/[1-9] match/).waitFor();
    await seen.page.locator(".tool.op-read").click();
    await seen.page.keyboard.press("r");
    await expect.poll(() => seen.page.locator(".inspector pre").last().textContent()).toContain('"tool_use"');
    await seen.page.click('.tabs a:has-text("Plots")');
    await seen.page.waitForSelector(".waterfall .stretch");
    await keepPicture(seen, "exported");
    expect(seen.troubles).toEqual([]);
    await seen.close();
    await live.close();
  });

  test("that was deleted: says so", async () => {
    const seen = await look(browser, `${page.url}/runs/20200101-000000-zzzzzz`);
    await seen.page.getByText("Run not found").first().waitFor();
    await seen.close();
  });
});

test("a live run is on top, is followed, and ends; the page survives a restart of the server", { timeout: 120_000 }, async () => {
  const script = scriptOf("claude/full", 2);
  const first = await visited(where, { cache: where.root });
  const seen = await look(browser, first.url);
  await seen.page.waitForSelector(".run-item");
  const live = where.start(["run", "--agent", "claude", "--binary", agent("plays.mjs"), "--prompt", "Live.", "--name", "alive"], {
    env: { SCRIPT: script.path },
  });
  const top = seen.page.locator(".run-item").first();
  await expect.poll(() => top.textContent(), { timeout: 30_000 }).toContain("running");
  const calls = top.locator(".figures div", { hasText: "calls" }).locator("dd");
  await expect.poll(() => calls.textContent(), { timeout: 30_000 }).toMatch(/^[1-9]/); // counted live
  expect(await top.textContent()).toContain("running");
  await keepPicture(seen, "runs-live");
  await top.locator(".title").click();
  await seen.page.waitForSelector(".event");
  const early = await seen.page.locator(".events").getAttribute("aria-label");
  expect(early).toBe("Events");
  await first.close();
  await seen.page.getByText("the server does not answer").waitFor({ timeout: 30_000 });
  await live.done;
  const again = await visited(where, { cache: where.root, port: first.port });
  const tab = await seen.context.newPage();
  await tab.goto(again.url); // the new token reaches all tabs
  await seen.page.waitForSelector(".run-head .status.good", { timeout: 60_000 });
  await tab.close();
  await eventsOf(seen);
  await keepPicture(seen, "run-lived");
  await seen.close();
  await again.close();
  script.remove();
});
