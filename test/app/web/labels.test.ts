import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cleanUp, type Place, place } from "../../support/place.ts";
import { eventsOf, launch, look, type Seen } from "./browser.ts";
import { record } from "./recorded.ts";
import { type Visited, visited } from "./server.ts";

/** The page names events in words, not by the names they have in an agent's format. */

let browser: Browser;
let where: Place;
let page: Visited;
let demo = "";
let background = "";
beforeAll(async () => {
  where = place();
  browser = await launch();
  expect((await where.harness(["demo", "--speed", "max"])).code).toBe(0);
  demo = where.recordings()[0]?.id ?? "";
  background = await record(where, "claude/subagent-bg");
  page = await visited(where);
});
afterAll(async () => {
  await browser?.close();
  await page?.close();
  cleanUp();
});

async function open(run: string): Promise<Seen> {
  const seen = await look(browser, `${page.url}/runs/${run}`, { width: 1440, height: 4000 });
  await eventsOf(seen);
  return seen;
}

test("no row shows a name such as harness_start, with the details shown too", async () => {
  for (const run of [demo, background]) {
    const seen = await open(run);
    expect(await seen.page.locator(".events").textContent()).not.toMatch(/harness_start|harness_end|background_tasks_changed/);
    await seen.page.click('.chip:has-text("Details")');
    await seen.page.waitForSelector(".event.is-usage");
    await eventsOf(seen);
    const titles = await seen.page.locator(".mark strong, .event p.small").allTextContents();
    expect(titles.length).toBeGreaterThan(5);
    expect(titles.filter((title) => /^[a-z]+[_-][a-z_-]+$/.test(title.trim()))).toEqual([]);
    await seen.close();
  }
});

test("the prompt is shown once, though the agent repeats it", async () => {
  const seen = await open(demo);
  const text = (await seen.page.locator(".events").textContent()) ?? "";
  expect(text.split("Write discounted(price, percent)")).toHaveLength(2);
  await seen.close();
});

test("a failed test is summarized by the failure, not by the first line of the runner", async () => {
  const seen = await open(demo);
  const preview = await seen.page.locator(".tool.failed .preview").first().textContent();
  expect(preview).not.toContain("TAP version");
  expect(preview).toMatch(/ten percent off/);
  await seen.close();
});

test("a subagent has one label at its start, in its lane and at its end", async () => {
  const seen = await open(demo);
  const titles = await seen.page.locator(".is-subagent-start strong, .is-subagent-end strong").allTextContents();
  expect(titles).toEqual(["Subagent native starts", "Subagent native ends"]);
  const lanes = new Set(await seen.page.locator(".event.nested .lane").allTextContents());
  expect([...lanes]).toEqual(["native"]);
  await seen.close();
});
