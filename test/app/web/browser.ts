import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { isFull, sample } from "../../support/full.ts";
import { ROOT } from "../../support/harness.ts";

/** Where what was seen is kept by `npm run test:full`, for people to look at. */
const ARTIFACTS = join(ROOT, "artifacts/page");

/** Fails with the one line that gets a browser where there is none: what was not looked at is not shown to work. */
export function launch(): Promise<Browser> {
  const path = execFileSync(process.execPath, [join(ROOT, "scripts/find-chromium.mjs")], { encoding: "utf8" }).trim();
  return chromium.launch({ executablePath: path, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
}

export interface Sight {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: "light" | "dark";
  readonly offline?: boolean;
}

/** A window of its own, and everything that went wrong in it. */
export interface Seen {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Complaints of the page, of the browser, and of its policy; requests to anybody else. */
  readonly troubles: string[];
  close(): Promise<void>;
}

/** Wide and narrow, light and dark; of every two neighbours one is wide or light and the other is not. */
export const SIGHTS: readonly Sight[] = sample(
  [
    { width: 1440, height: 900, scheme: "light" },
    { width: 1440, height: 900, scheme: "dark" },
    { width: 390, height: 844, scheme: "dark" },
    { width: 390, height: 844, scheme: "light" },
  ],
  2,
);

/** A window, and whoever looks through it. */
interface Frame {
  readonly context: BrowserContext;
  readonly page: Page;
  onTrouble(what: string): void;
  isOwn(address: URL): boolean;
}

/** Windows that nobody looks through any more: another one costs the browser a process. */
const idle = new WeakMap<Browser, Frame[]>();

export async function look(
  browser: Browser,
  url: string,
  { width = 1440, height = 900, scheme = "light", offline = false }: Sight = {},
): Promise<Seen> {
  const frame = idle.get(browser)?.pop() ?? (await newFrame(browser));
  const { context, page } = frame;
  const troubles: string[] = [];
  const own = new URL(url);
  frame.onTrouble = (what) => troubles.push(what);
  frame.isOwn = ({ protocol, host }) => protocol === own.protocol && host === own.host;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: scheme });
  await context.setOffline(offline);
  await page.goto(url);
  return { context, page, troubles, close: () => leave(browser, frame) };
}

async function newFrame(browser: Browser): Promise<Frame> {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  const frame: Frame = { context, page, onTrouble: () => {}, isOwn: () => true };
  page.setDefaultTimeout(45_000);
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) frame.onTrouble(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => frame.onTrouble(`error: ${error.message}`));
  page.on("request", (request) => {
    const to = new URL(request.url());
    if (to.protocol !== "data:" && !frame.isOwn(to)) frame.onTrouble(`request: ${request.url()}`);
  });
  // As text: tests are not compiled for a browser.
  await page.addInitScript({
    content:
      'document.addEventListener("securitypolicyviolation", (e) => console.error("policy: " + e.violatedDirective + " " + e.blockedURI));',
  });
  return frame;
}

/** Nothing of what was seen stays: no page, no cookie, nothing stored. */
async function leave(browser: Browser, frame: Frame): Promise<void> {
  frame.onTrouble = () => {};
  frame.isOwn = () => true;
  await frame.page.evaluate("localStorage.clear(); sessionStorage.clear();");
  await frame.page.goto("about:blank");
  await frame.context.clearCookies();
  idle.set(browser, [...(idle.get(browser) ?? []), frame]);
}

/** How wide the page is: no wider than the window, or one scrolls sideways. */
export function widthOf({ page }: Seen): Promise<unknown> {
  return page.evaluate("document.documentElement.scrollWidth");
}

/** Events are there, and none of those on the screen is still on its way. */
export async function eventsOf({ page }: Pick<Seen, "page">): Promise<void> {
  await page.waitForSelector(".event");
  await expect.poll(() => page.locator(".event .skeleton").count()).toBe(0);
}

/** Rows stand one below the other, and all begin at the same edge. */
export async function expectRows({ page }: Pick<Seen, "page">): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(`(() => {
        const boxes = [...document.querySelectorAll(".vrow > .event")].map((row) => row.getBoundingClientRect()).sort((a, b) => a.top - b.top);
        const over = boxes.filter(({ top }, i) => i > 0 && top < boxes[i - 1].bottom - 1).length;
        return [over, new Set(boxes.map(({ left }) => left)).size];
      })()`),
    )
    .toEqual([0, 1]);
}

export async function keepPicture({ page }: Seen, name: string): Promise<void> {
  if (!isFull) return;
  mkdirSync(ARTIFACTS, { recursive: true });
  await page.screenshot({ path: join(ARTIFACTS, `${name}.png`) });
}

/** The short form of it: a browser reads it anew in every window. */
const { source: axe } = createRequire(import.meta.url)("axe-core/axe.min.js") as Pick<typeof import("axe-core"), "source">;

/** What an accessibility checker finds serious. It is put in from outside, past the page's own policy. */
export async function expectAccessible({ page, context }: Seen): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe });
  const { result } = await session.send("Runtime.evaluate", {
    expression: `axe.run(document, { resultTypes: ["violations"], preload: false, iframes: false }).then(({ violations }) => JSON.stringify(violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 3).map(({ html, any }) => html.slice(0, 160) + " " + (any[0]?.message ?? "")) }))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  expect(JSON.parse(String(result.value))).toEqual([]);
}
