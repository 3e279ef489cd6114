import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { directory } from "../../support/harness.ts";
import { cleanUp, type Place, place } from "../../support/place.ts";
import { eventsOf, launch, look } from "./browser.ts";
import { record } from "./recorded.ts";
import { visited } from "./server.ts";

/** S9: who gets the page's token, in a real browser. */

let browser: Browser;
let where: Place;
let run: string;
beforeAll(async () => {
  browser = await launch();
  where = place();
  run = await record(where, "claude/full");
});
afterAll(async () => {
  await browser.close();
  cleanUp();
});

test("S9: the token leaves the address, stays for this port, and survives a reload and a second tab", async () => {
  const page = await visited(where);
  const seen = await look(browser, `${page.url}/runs/${run}`);
  await eventsOf(seen);
  expect(seen.page.url()).toBe(`http://127.0.0.1:${page.port}/#/runs/${run}`);
  await seen.page.reload();
  await eventsOf(seen);
  const tab = await seen.context.newPage();
  await tab.goto(`http://127.0.0.1:${page.port}/`);
  await tab.waitForSelector(`text=${run.slice(0, 8)}`);
  await tab.close();
  expect(await seen.context.cookies()).toEqual([]);
  expect(seen.troubles).toEqual([]);
  await seen.close();
  await page.close();
});

test("S9: another port of this machine gets no credential, and cannot use the page", async () => {
  const received: string[] = [];
  const other = createServer((request, response) => {
    received.push(JSON.stringify(request.rawHeaders));
    response.setHeader("content-type", "text/html").end("<!doctype html><title>other</title>");
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const address = other.address();
  const port = typeof address === "object" ? address?.port : 0;
  const page = await visited(where);
  const seen = await look(browser, page.url);
  await seen.page.waitForSelector(`text=${run.slice(0, 8)}`);
  const tab = await seen.context.newPage();
  await tab.goto(`http://127.0.0.1:${port}/`);
  const token = page.authorization.slice("Bearer ".length);
  expect(await tab.evaluate("[localStorage.length, sessionStorage.length, document.cookie].join()")).toBe("0,0,");
  const tries = await tab.evaluate(`Promise.all([
    { credentials: "include" },
    { credentials: "include", mode: "no-cors" },
    { headers: { authorization: "Bearer ${token}" } },
  ].map((options) => fetch("http://127.0.0.1:${page.port}/api/runs", options).then((answer) => answer.type + answer.status, () => "failed")))`);
  expect(tries).toEqual(["failed", "failed", "failed"]);
  const framed = `new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.onload = () => { try { resolve(frame.contentWindow.localStorage.length); } catch { resolve("closed"); } };
    frame.src = "http://127.0.0.1:${page.port}/";
    document.body.append(frame);
  })`;
  expect(await tab.evaluate(framed)).toBe("closed");
  expect(received.join()).not.toContain(token);
  await tab.close();
  await seen.close();
  await page.close();
  other.close();
});

test("S9: the token ends with its server; the address of the next one opens the page again", async () => {
  const first = await visited(where);
  const seen = await look(browser, first.url);
  await seen.page.waitForSelector(`text=${run.slice(0, 8)}`);
  await first.close();
  const second = await visited(where, { port: first.port });
  await seen.page.reload();
  await seen.page.waitForSelector("text=Open the address that harness view printed");
  await seen.page.evaluate(`location.href = "${second.url}/runs/${run}"`);
  await eventsOf(seen);
  await seen.close();
  await second.close();
});

test("S9: a private file leads to the page, as harness view opens it", async () => {
  const page = await visited(where);
  const file = join(directory(), "open.html");
  const address = `${page.url}/runs/${run}`;
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${address}">`);
  const seen = await look(browser, pathToFileURL(file).href);
  await eventsOf(seen);
  expect(seen.page.url()).toBe(`http://127.0.0.1:${page.port}/#/runs/${run}`);
  await seen.close();
  await page.close();
});
