import { spawn } from "node:child_process";
import { once } from "node:events";
import { chromium } from "playwright-core";
import { findChromium, HOW_TO_GET_ONE } from "../find-chromium.mjs";

/** A screenshot of the newest run at twice the resolution. */
export async function pagePicture(cli, env) {
  const executablePath = findChromium(env);
  if (executablePath === undefined) throw new Error(HOW_TO_GET_ONE);
  const server = spawn(process.execPath, [cli, "view", "last", "--no-open"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  try {
    const context = await browser.newContext({
      viewport: { width: 1200, height: 920 },
      deviceScaleFactor: 2,
      colorScheme: "light",
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.goto(await addressOf(server));
    await drawn(page);
    await page.locator(".tool.op-write .opener").nth(1).click(); // the new test, as a diff
    await drawn(page);
    await page.evaluate(() => document.activeElement.blur());
    await page.locator(".tool .diff").evaluate((diff) => diff.scrollIntoView({ block: "center" }));
    await drawn(page);
    return await page.screenshot();
  } finally {
    await browser.close();
    server.kill();
    await once(server, "exit");
  }
}

/** Waits until no event has been a placeholder for half a second. */
async function drawn(page) {
  await page.waitForSelector(".event");
  for (let calm = 0; calm < 5; calm += 1) {
    if ((await page.locator(".event .skeleton").count()) > 0) calm = 0;
    await page.waitForTimeout(100);
  }
}

async function addressOf(server) {
  let printed = "";
  for await (const chunk of server.stdout) {
    printed += chunk;
    const address = /http:\/\/\S+/.exec(printed)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error(`harness view ended without an address: ${printed}`);
}
