import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PageEvent, RunSource } from "../../../page/source/run-source.ts";
import { viewPages } from "../../../page/views/view-pages.ts";
import { exportRun } from "../../../src/app/web/export-run.ts";
import { parseJsonLines } from "../../../src/pure/base/index.ts";
import type { View } from "../../../src/pure/pipeline/view.ts";
import { stream } from "../../../src/pure/views/stream/view.ts";
import { ROOT } from "../../support/harness.ts";
import { cleanUp, type Place, place } from "../../support/place.ts";
import { eventsOf, launch, look } from "./browser.ts";
import { PAGE_FILES, type Visited, visited } from "./server.ts";

/** A run that is too long to load completely is read part by part, to its end. */

const EVENTS = 21_000;
let browser: Browser;
let where: Place;
let page: Visited;
let run: string;
let count: number;
beforeAll(async () => {
  where = place();
  browser = await launch();
  const bench = join(ROOT, "scripts/bench");
  const agent = ["--env", `AGENT=${process.execPath} ${join(bench, "talk.mjs")}`, "--env", `EVENTS=${EVENTS}`];
  await where.run(["--agent", "claude", "--binary", join(bench, "as-agent.sh"), "--view", "result", ...agent]);
  const recording = where.recording();
  run = recording.id;
  count = recording.sealed?.events ?? 0;
  page = await visited(where);
});
afterAll(async () => {
  await browser?.close();
  await page?.close();
  cleanUp();
});

async function derived(view: string): Promise<string> {
  return (await where.harness(["derive", run, "--view", view, ...(view === "markdown" ? [] : ["--json"])])).stdout;
}

test("the parts of a view together, and its download, equal the output of derive", async () => {
  const printed = await derived("stream");
  const source = {
    whole: async (from: number, to: number): Promise<readonly PageEvent[]> => {
      const text = await (await page.get(`/api/runs/${run}/whole?from=${from}&to=${to}`)).text();
      return parseJsonLines(text);
    },
  } as RunSource;
  const reader = viewPages(stream as View, source, { id: run });
  while (reader.seen < count) await reader.next(count, true, () => true);
  expect(reader.pages).toHaveLength(2);
  expect((await Promise.all(reader.pages.map(({ text }) => text.text()))).join("")).toBe(printed);
  const file = await page.get(`/api/runs/${run}/views/stream`);
  expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${run}.stream.jsonl"`);
  expect(await file.text()).toBe(printed);
});

test("unknown views are not found; a client that leaves stops the work", async () => {
  expect((await page.get(`/api/runs/${run}/views/constructor`)).status).toBe(404);
  const left = await fetch(new URL(`/api/runs/${run}/views/stream`, page.url), { headers: { authorization: page.authorization } });
  await left.body?.cancel();
  expect((await page.get("/api/runs")).status).toBe(200);
});

test("the browser shows parts of views, the window of the graph around an event, and all usage", async () => {
  const seen = await look(browser, `${page.url}/runs/${run}/views/activity`);
  const { page: tab } = seen;
  await tab.getByText(/events 1 to 2\d,\d{3} of 2\d,\d{3}/).waitFor();
  await tab.click("text=Next part");
  await tab.getByText(new RegExp(`events 2\\d,\\d{3} to ${count.toLocaleString("en")}`)).waitFor();
  const [saved] = await Promise.all([tab.waitForEvent("download"), tab.click("text=Download all")]);
  expect(readFileSync(await saved.path(), "utf8")).toBe(await derived("activity"));
  await tab.click("text=Previous part");
  await tab.getByText(/events 1 to 2\d,\d{3}/).waitFor();
  await tab.evaluate(`location.hash = "#/runs/${run}/graph/12345"`);
  await tab.getByText("events 10,001 to 15,000").waitFor();
  await tab.waitForSelector(".graph .step");
  await tab.click("text=Later");
  await tab.getByText("events 15,001 to 20,000").waitFor();
  await tab.locator(".graph a").nth(3).click();
  await tab.waitForSelector(".event.selected");
  expect(seen.troubles).toEqual([]);
  await seen.close();
});

describe("as a file", () => {
  test("if the run is too large, says which events fit and leaves no file", async () => {
    const { directory, manifest } = where.recording();
    const path = join(where.root, "large.html");
    const options = { manifest, directory, files: PAGE_FILES, path, isWritten: false, largest: 1024 * 1024 };
    const refused = await exportRun(options).catch((error: Error) => error.message);
    const [, last = ""] =
      /^The events of \S+ are too large for one file \(over 1 MiB\)\. Export those that fit with --events 1-(\d+), or open the whole run with harness view \S+\.$/.exec(
        String(refused),
      ) ?? [];
    expect(Number(last)).toBeGreaterThan(1000);
    expect(existsSync(path)).toBe(false);
    await exportRun({ ...options, events: { first: 1, last: Number(last) } });
    expect(existsSync(path)).toBe(true);
  });

  test("a part from the middle has its events, their raw bytes, and the range", async () => {
    const path = join(where.root, "part.html");
    expect((await where.harness(["view", run, "--export", path, "--events", "12001-12100"])).code).toBe(0);
    const seen = await look(browser, `${pathToFileURL(path).href}#/runs/${run}/12050`, { offline: true });
    await eventsOf(seen);
    await seen.page.getByText(`This file holds the events 12,001 to 12,100 of ${count.toLocaleString("en")} of the run.`).waitFor();
    const whole = await (await page.get(`/api/runs/${run}/events/12050`)).json();
    const [{ stream, offset, length }] = (whole as { from: [{ stream: string; offset: number; length: number }] }).from;
    const raw = await (await page.get(`/api/runs/${run}/raw/${stream}?offset=${offset}&length=${length}`)).text();
    await expect.poll(() => seen.page.locator(".inspector pre").last().textContent()).toBe(raw);
    await seen.page.click('.tabs a:has-text("Graph")');
    await seen.page.waitForSelector(".graph .step");
    await seen.page.click('.tabs a:has-text("Views")');
    await seen.page.getByText("this file has only a part").waitFor();
    expect(seen.troubles).toEqual([]);
    await seen.close();
  });

  test.each([
    [["view", "--events", "1-5"], "--events needs --export"],
    [["view", "last", "--export", "x.html", "--events", "5-1"], "Pass the first and the last event"],
    [["view", "last", "--export", "x.html", "--events", "999999-1000000"], "choose a range within 1-"],
  ])("%s is rejected", async (args, message) => {
    const done = await where.harness(args);
    expect(done.code).toBe(2);
    expect(done.stderr).toContain(message);
  });
});
