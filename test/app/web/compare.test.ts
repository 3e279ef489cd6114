import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { align } from "../../../page/compare/align.ts";
import type { Step } from "../../../page/compare/steps.ts";
import { agent, cleanUp, type Place, place } from "../../support/place.ts";
import { expectAccessible, keepPicture, launch, look, SIGHTS, widthOf } from "./browser.ts";
import { hostileStream } from "./hostile.ts";
import { record, script } from "./recorded.ts";
import { type Visited, visited } from "./server.ts";

/** Two runs side by side, in a real browser. */

let browser: Browser;
let where: Place;
let page: Visited;
let first: string;
let again: string;
let other: string;
beforeAll(async () => {
  where = place();
  browser = await launch();
  first = await record(where, "claude/full");
  again = await record(where, "claude/full");
  other = await record(where, "claude/write-and-edit");
  page = await visited(where);
});
afterAll(async () => {
  await browser?.close();
  await page?.close();
  cleanUp();
});

test.each(SIGHTS)("shows two runs side by side ($width, $scheme)", async (sight) => {
  const seen = await look(browser, `${page.url}/compare/${first}/${other}`, sight);
  await seen.page.getByText(/steps? the same/).waitFor();
  await seen.page.waitForSelector(".pair .tool");
  expect(await seen.page.locator(".compare-facts").textContent()).toContain("completed");
  expect(await seen.page.locator(".pair:not(.same)").count()).toBeGreaterThan(0);
  expect(await widthOf(seen)).toBeLessThanOrEqual(sight.width ?? 0);
  await expectAccessible(seen);
  await keepPicture(seen, `compare-${sight.width}-${sight.scheme}`);
  expect(seen.troubles).toEqual([]);
  await seen.close();
});

test("the same recording twice has no difference; a step links to the timeline of its run", async () => {
  const seen = await look(browser, `${page.url}/compare/${first}/${again}`);
  await seen.page.getByText(/steps? the same, 0 different, 0 only in A, 0 only in B/).waitFor();
  await seen.page.click("text=Only differences");
  await seen.page.getByText("No difference").waitFor();
  await seen.page.click("text=Only differences");
  await seen.page.locator(".pair .at").nth(1).click();
  await seen.page.waitForSelector(".event.selected");
  expect(seen.page.url()).toContain(`#/runs/${again}/`);
  expect(seen.troubles).toEqual([]);
  await seen.close();
});

test("runs are chosen in the list", async () => {
  const seen = await look(browser, page.url);
  await seen.page.waitForSelector(".run-item");
  await seen.page.getByLabel(`Choose ${first} for comparison`).check();
  await seen.page.getByLabel(`Choose ${other} for comparison`).check();
  await seen.page.click("text=/^Compare$/");
  await seen.page.waitForSelector(".pair");
  expect(seen.page.url()).toContain(`#/compare/${first}/${other}`);
  await seen.page.goBack();
  await seen.page.waitForSelector(".run-item");
  for (const id of [first, other, again]) await seen.page.getByLabel(`Choose ${id} for comparison`).check();
  await seen.page.click("text=/^Compare$/");
  await seen.page.getByText("3 runs").waitFor();
  expect(await seen.page.locator(".compare-facts thead th").count()).toBe(3);
  await seen.page.click("text=compare its steps with A");
  await seen.page.getByText(/steps? the same, 0 different, 0 only in A, 0 only in B/).waitFor();
  expect(seen.page.url()).toContain(`#/compare/${first}/${again}/${other}`);
  await expectAccessible(seen);
  await keepPicture(seen, "compare-three");
  expect(seen.troubles).toEqual([]);
  await seen.close();
});

test("without two runs, or with a deleted one, it says what to do", async () => {
  const seen = await look(browser, `${page.url}/compare`);
  await seen.page.getByText("Choose two runs").waitFor();
  await seen.page.evaluate(`location.hash = "#/compare/${first}/20200101-000000-gone"`);
  await seen.page.getByText("Run not found").first().waitFor();
  await seen.close();
});

test("a hostile run does no harm", async () => {
  const played = script({ pieces: [{ fd: 1, base64: Buffer.from(hostileStream()).toString("base64"), pauseMs: 0 }], exitCode: 0 });
  const before = new Set(where.recordings().map(({ id }) => id));
  await where.harness(["run", "--agent", "claude", "--binary", agent("plays.mjs"), "--prompt", "<script>window.pwned=1</script>"], {
    env: { SCRIPT: played.path },
  });
  played.remove();
  const hostile = where.recordings().find(({ id }) => !before.has(id))?.id ?? "";
  const seen = await look(browser, `${page.url}/compare/${first}/${hostile}`);
  await seen.page.getByText(/steps? the same/).waitFor();
  for (let i = 0; i < 12; i++) {
    await seen.page.locator(".pairs").evaluate((list, part) => {
      list.scrollTop = list.scrollHeight * part;
    }, i / 12);
    await seen.page.waitForSelector(".pair .step .body > :not(.skeleton)");
  }
  expect(await seen.page.evaluate("window.pwned")).toBeUndefined();
  expect(await seen.page.locator("iframe, object, embed, form, img, #page script, #page style").count()).toBe(0);
  expect(seen.troubles).toEqual([]);
  await seen.close();
});

describe("alignment", () => {
  const steps = (kinds: string): Step[] => kinds.split("").map((kind, i) => ({ seq: i + 1, end: 0, kind }));
  const aligned = (a: string, b: string, same?: string) => {
    const known = (kinds: string) =>
      same === undefined ? undefined : new Map(kinds.split("").map((kind, i) => [i + 1, same.includes(kind) ? kind : `${kind}${kinds}`]));
    return align(steps(a), steps(b), known(a), known(b)).map(
      ({ a: left, b: right, state }) => `${left?.kind ?? "."}${right?.kind ?? "."}${state[2]}`,
    );
  };

  test("pairs steps by kind, in order, and leaves the rest alone", () => {
    expect(aligned("", "")).toEqual([]);
    expect(aligned("abc", "abc")).toEqual(["aai", "bbi", "cci"]);
    expect(aligned("abc", "ac")).toEqual(["aai", "b.o", "cci"]);
    expect(aligned("a", "bab")).toEqual([".bo", "aai", ".bo"]);
  });

  test("pairs identical steps first, then steps of one kind between them", () => {
    expect(aligned("xay", "xbay", "a")).toEqual(["xxi", ".bo", "aam", "yyi"]);
    expect(aligned("ab", "ab", "ab")).toEqual(["aam", "bbm"]);
  });
});
