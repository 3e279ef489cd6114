import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, launch, look, SIGHTS, widthOf } from "../app/web/browser.ts";
import { cleanUp, directory } from "../support/harness.ts";
import { ROOT } from "./imports.ts";

/** `npm run docs:site`, opened from the disk as a reader would. */

let site = "";
let browser: Browser;
beforeAll(async () => {
  site = directory();
  execFileSync(process.execPath, ["scripts/site.mjs", "--out", site], { cwd: ROOT, stdio: "pipe" });
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  cleanUp();
});

const addressOf = (page: string) => pathToFileURL(join(site, page)).href;

describe("the files", () => {
  test("every page of the docs is there", () => {
    const documents = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
    expect(documents.length).toBeGreaterThan(60);
    const missing = documents.filter(
      (file) => !existsSync(join(site, "docs", file.replace(/README\.md$/, "index.md").replace(/md$/, "html"))),
    );
    expect(missing).toEqual([]);
  });

  test("every link, picture and anchor resolves inside the site", () => {
    const pages = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html"));
    const texts = new Map(pages.map((page) => [page, readFileSync(join(site, page), "utf8")]));
    const idsOf = new Map([...texts].map(([page, text]) => [page, new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]));
    const broken: string[] = [];
    let count = 0;
    for (const [page, text] of texts) {
      for (const [, address = ""] of text.matchAll(/<[^>]+?\s(?:href|src)="([^"]*)"/g)) {
        if (/^(?:https?|mailto):/.test(address)) continue;
        const [file = "", id] = address.split("#");
        const target = file === "" ? page : join(dirname(page), file);
        const isThere = existsSync(join(site, target)) && (id === undefined || idsOf.get(target)?.has(decodeURIComponent(id)) === true);
        if (!isThere) broken.push(`${page}: ${address}`);
        count += 1;
      }
    }
    expect(broken).toEqual([]);
    expect(count).toBeGreaterThan(5000);
  });

  test("no page has an inline script or style", () => {
    const inline = /<script(?![^>]*\ssrc=)|<style|\sstyle="|\son\w+="/;
    const text = readFileSync(join(site, "docs/index.html"), "utf8").replace(/<pre[\s\S]*?<\/pre>/g, "");
    expect(text).not.toMatch(inline);
    expect(text).toContain("default-src 'none'");
  });
});

test("a broken link or anchor fails the build and is named", () => {
  const copy = directory();
  for (const folder of ["docs", "scripts"]) mkdirSync(join(copy, folder));
  writeFileSync(join(copy, "README.md"), "# Broken\n\n[one](docs/gone.md) [two](docs/there.md#gone) [three](docs/there.md#here)\n");
  writeFileSync(join(copy, "docs/there.md"), "# There\n\n## Here\n");
  const program = `
    const { collect } = await import(${JSON.stringify(join(ROOT, "scripts/site/collect.mjs"))});
    const { checkLinks } = await import(${JSON.stringify(join(ROOT, "scripts/site/check-links.mjs"))});
    console.log(checkLinks(collect(${JSON.stringify(copy)}).pages).join("\\n"));`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  expect(stdout.trim().split("\n").sort()).toEqual(["README.md: docs/gone.md", "README.md: docs/there.md#gone"]);
});

describe("in a browser, from the disk", () => {
  test.each(SIGHTS)("$width $scheme: fits, is accessible, asks no one for anything", async (sight) => {
    const seen = await look(browser, addressOf("docs/index.html"), sight);
    expect(await widthOf(seen)).toBeLessThanOrEqual(sight.width ?? 0);
    await expectAccessible(seen);
    expect(seen.troubles).toEqual([]);
    await seen.close();
  });

  test("`/` starts a search, the arrows choose, Enter opens the section, Escape closes", async () => {
    const seen = await look(browser, addressOf("docs/guides/run.html"));
    const { page, troubles } = seen;
    await page.keyboard.press("/");
    await page.keyboard.type("hash chain");
    await page.waitForSelector("#results a");
    expect(await page.locator("#results a").count()).toBeGreaterThan(3);
    expect(await page.locator("#results a[aria-selected=true] mark").count()).toBeGreaterThan(0);
    await page.keyboard.press("ArrowDown");
    expect(await page.getAttribute("#search", "aria-activedescendant")).toBe("result-1");
    await page.keyboard.press("ArrowUp");
    const target = await page.getAttribute("#result-0", "href");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.href.endsWith((target ?? "?").replace(/^(?:\.\.\/)+/, "")));
    expect(await page.locator("main").textContent()).toMatch(/hash chain/i);

    await page.keyboard.press("/");
    await page.keyboard.type("zzzz-not-there");
    await page.waitForSelector("#results .empty");
    await page.keyboard.press("Escape");
    expect(await page.locator("#results").isHidden()).toBe(true);
    expect(troubles).toEqual([]);
    await seen.close();
  });

  test("the choice of light or dark is kept on the next page", async () => {
    const seen = await look(browser, addressOf("index.html"), { scheme: "light" });
    const ground = () => seen.page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await ground();
    await seen.page.click("#theme");
    const dark = await ground();
    expect(dark).not.toBe(light);
    await seen.page.goto(addressOf("docs/index.html"));
    expect(await ground()).toBe(dark);
    await seen.close();
  });
});
