import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { isFull, sample } from "../../support/full.ts";
import { ROOT } from "../../support/harness.ts";

/** `npm run test:full` keeps screenshots here. */
const ARTIFACTS = join(ROOT, "artifacts/page");

/** Fails if there is no browser, and says how to install one. */
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

/** A window and everything that went wrong in it. */
export interface Seen {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors and warnings of the page and the browser, policy violations, and requests to other hosts. */
  readonly troubles: string[];
  close(): Promise<void>;
}

/** Wide and narrow, light and dark. A sample of two always has both widths or both schemes. */
export const SIGHTS: readonly Sight[] = sample(
  [
    { width: 1440, height: 900, scheme: "light" },
    { width: 1440, height: 900, scheme: "dark" },
    { width: 390, height: 844, scheme: "dark" },
    { width: 390, height: 844, scheme: "light" },
  ],
  2,
);

/** A window that tests use one after the other. */
interface Frame {
  readonly context: BrowserContext;
  readonly page: Page;
  onTrouble(what: string): void;
  isOwn(address: URL): boolean;
}

/** Unused windows; a new one would cost a process. */
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
  // As text, because tests are not compiled for a browser.
  await page.addInitScript({
    content:
      'document.addEventListener("securitypolicyviolation", (e) => console.error("policy: " + e.violatedDirective + " " + e.blockedURI));',
  });
  return frame;
}

/** Clears the page, cookies and storage, and returns the window for reuse. */
async function leave(browser: Browser, frame: Frame): Promise<void> {
  frame.onTrouble = () => {};
  frame.isOwn = () => true;
  await frame.page.evaluate("localStorage.clear(); sessionStorage.clear();");
  await frame.page.goto("about:blank");
  await frame.context.clearCookies();
  idle.set(browser, [...(idle.get(browser) ?? []), frame]);
}

/** The width of the page; if it exceeds the window, the page scrolls sideways. */
export function widthOf({ page }: Seen): Promise<unknown> {
  return page.evaluate("document.documentElement.scrollWidth");
}

/** Waits until the visible events are drawn. */
export async function eventsOf({ page }: Pick<Seen, "page">): Promise<void> {
  await page.waitForSelector(".event");
  await expect.poll(() => page.locator(".event .skeleton").count()).toBe(0);
}

/** Rows do not overlap and share their left edge. */
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

/** Minified, because every window parses it again. */
const { source: axe } = createRequire(import.meta.url)("axe-core/axe.min.js") as Pick<typeof import("axe-core"), "source">;

/** No serious findings of axe. It is injected through the debugger, because the page's policy forbids foreign scripts. */
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
