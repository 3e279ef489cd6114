import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agent, cleanUp, type Place, place } from "../../support/place.ts";
import { eventsOf, keepPicture, launch, look, type Seen } from "./browser.ts";
import { hostileStream, payloads } from "./hostile.ts";
import { script } from "./recorded.ts";
import { type Visited, visited } from "./server.ts";

/** A run in which every text attacks the reader. The page shows the text, and no attack works. */

let browser: Browser;
let where: Place;
let page: Visited;
let id: string;
const folder = mkdtempSync(join(tmpdir(), "harness-export-"));
beforeAll(async () => {
  where = place();
  const played = script({
    pieces: [
      { fd: 1, base64: Buffer.from(hostileStream()).toString("base64"), pauseMs: 0 },
      { fd: 2, base64: Buffer.from(payloads.join("\n")).toString("base64"), pauseMs: 0 },
    ],
    exitCode: 3,
  });
  const args = ["--prompt", payloads.join("\n"), "--name", payloads[1] ?? "", ...payloads.slice(0, 6).flatMap((tag) => ["--tag", tag])];
  await where.harness(["run", "--agent", "claude", "--binary", agent("plays.mjs"), ...args], { env: { SCRIPT: played.path } });
  played.remove();
  id = where.recording().id;
  browser = await launch();
  page = await visited(where);
});
afterAll(async () => {
  await browser?.close();
  await page?.close();
  rmSync(folder, { recursive: true, force: true });
  cleanUp();
});

async function expectHarmless({ page: tab, troubles }: Seen): Promise<void> {
  expect(await tab.evaluate("window.pwned")).toBeUndefined();
  expect(
    await tab.evaluate(
      "document.querySelectorAll('iframe, object, embed, form, img, svg:not(.plot svg, .graph), #page script, #page style, #page link, #page [onclick], #page [style*=url]').length",
    ),
  ).toBe(0);
  const links = (await tab.evaluate(
    "[...document.querySelectorAll('a[href]')].map((a) => new URL(a.getAttribute('href'), location.href).protocol)",
  )) as string[];
  expect(links.filter((protocol) => !["http:", "https:", "mailto:", "file:"].includes(protocol))).toEqual([]);
  expect(troubles).toEqual([]);
}

/** Scrolls from top to bottom and opens everything. */
async function readAll(tab: Page): Promise<void> {
  await eventsOf({ page: tab });
  await tab.click('.chip:has-text("Details")');
  for (let i = 0; i < 16; i++) {
    await tab.evaluate("document.querySelectorAll('.events .opener[aria-expanded=false]').forEach((each) => each.click())");
    await tab.evaluate("document.querySelectorAll('.events button.link').forEach((each) => each.click())");
    await tab.waitForTimeout(10);
    await tab.evaluate(
      `(() => { const list = document.querySelector(".events"); list.scrollTop = ${(i + 1) / 16} * list.scrollHeight; })()`,
    );
    await tab.waitForTimeout(60);
  }
}

describe("hostile output", () => {
  test("does no harm in the list", async () => {
    const seen = await look(browser, page.url);
    await seen.page.waitForSelector(".run-item");
    await seen.page.fill("#search", payloads[0] ?? "");
    await expectHarmless(seen);
    await keepPicture(seen, "hostile-runs");
    await seen.close();
  });

  test("does no harm in the timeline, in raw bytes and in the other tabs", async () => {
    const seen = await look(browser, `${page.url}/runs/${id}`);
    await readAll(seen.page);
    await expectHarmless(seen);
    await keepPicture(seen, "hostile-run");
    await seen.page.fill("#search", payloads[5] ?? "");
    await seen.page.getByText(/[1-9]\d* match/).waitFor();
    await seen.page.keyboard.press("Enter");
    await seen.page
      .locator(".event.selected")
      .first()
      .click({ position: { x: 5, y: 5 } });
    await seen.page.keyboard.press("r");
    await seen.page.waitForSelector(".inspector pre");
    await expectHarmless(seen);
    const panels = { graph: ".graph .step", plots: ".waterfall li", views: "text=/^Download/", about: "text=run.json" };
    for (const [panel, drawn] of Object.entries(panels)) {
      await seen.page.goto(`http://127.0.0.1:${page.port}/#/runs/${id}/${panel}`);
      await seen.page.waitForSelector(drawn);
      await expectHarmless(seen);
    }
    await seen.close();
  });

  test("does no harm in an exported file", async () => {
    const file = join(folder, "hostile.html");
    expect((await where.harness(["view", id, "--export", file])).code).toBe(0);
    const seen = await look(browser, pathToFileURL(file).href, { offline: true });
    await readAll(seen.page);
    await expectHarmless(seen);
    await seen.close();
  });

  test("does no harm in an address", async () => {
    const seen = await look(browser, `${page.url}/runs/${encodeURIComponent(payloads[0] ?? "")}/${encodeURIComponent(payloads[1] ?? "")}`);
    await seen.page.waitForSelector(".notice");
    expect(await seen.page.evaluate("window.pwned")).toBeUndefined();
    await seen.close();
  });
});

test("raw output is served as an unchanged download", async () => {
  const answer = await page.get(`/api/runs/${id}/raw/stdout?offset=0&length=5000`);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(readFileSync(join(where.runs, id, "raw.jsonl")).subarray(0, 5000));
});
