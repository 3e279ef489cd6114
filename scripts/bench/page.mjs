// The cost of the page in a real Chromium, for recorded sessions of 10,000, 100,000 and 1,000,000 events.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { findChromium, HOW_TO_GET_ONE } from "../find-chromium.mjs";

const path = (name) => new URL(name, import.meta.url).pathname;
/** Scroll steps from top to bottom. */
const STEPS = 80;
const FIRST_EVENT = ".event .body > :not(.skeleton, .lane)";

export function pageWeight(dist) {
  return ["index.html", "page.js", "page.css"].reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, "page", name))).length, 0);
}

/**
 * Each visit uses a new server that has derived nothing yet. The sizes take turns, so that load affects all of them: each size is compared
 * with the first one in the same round, and the median ratio counts.
 */
export async function measurePage({ dist, temp, sizes, runs, say }) {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(HOW_TO_GET_ONE);
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  const sessions = sizes.map((events) => ({ events, folder: mkdtempSync(join(temp, "page-")), paints: [], ready: [] }));
  try {
    for (const { events, folder } of sessions) {
      say(`recording ${events} events`);
      record(dist, folder, events);
    }
    for (let round = 0; round <= runs; round++) {
      for (const { folder, paints, ready } of sessions) {
        const look = await open({ dist, folder, browser });
        await look.close();
        if (round === 0) continue; // warm-up round
        paints.push(look.paint);
        ready.push(look.interactive);
      }
    }
    const measured = [];
    for (const { events, folder, paints, ready } of sessions) {
      say(`reading ${events} events from end to end; first event seen after ${paints.map(Math.round).join(", ")} ms`);
      const read = await readThrough({ dist, folder, browser });
      const [first] = sessions;
      const over = { paint: middleRatio(paints, first.paints), interactive: middleRatio(ready, first.ready) };
      measured.push({ events, paint: Math.min(...paints), over, ...read });
    }
    return measured;
  } finally {
    await browser.close();
    for (const { folder } of sessions) rmSync(folder, { recursive: true, force: true });
  }
}

function middleRatio(values, others) {
  const ratios = values.map((value, i) => value / others[i]).sort((a, b) => a - b);
  return ratios[Math.floor(ratios.length / 2)];
}

function record(dist, folder, events) {
  const agent = ["--env", `AGENT=${process.execPath} ${path("talk.mjs")}`, "--env", `EVENTS=${events}`];
  const args = ["run", "--agent", "claude", "--binary", path("as-agent.sh"), "--prompt", "go", "--view", "result", ...agent];
  const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const { status, stderr } = spawnSync(process.execPath, [join(dist, "cli/harness.js"), ...args], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (status !== 0) throw new Error(`the session could not be recorded: ${stderr}`);
}

async function readThrough({ dist, folder, browser }) {
  const look = await open({ dist, folder, browser });
  try {
    const whole = await timed(() => look.page.locator(".progress").waitFor({ state: "detached", timeout: 600_000 }));
    const session = await look.context.newCDPSession(look.page);
    await browser.startTracing(look.page, { categories: ["toplevel", "disabled-by-default-lifecycle"] });
    for (let step = 1; step <= STEPS; step++) {
      await look.page.evaluate(
        `(() => { const list = document.querySelector(".events"); list.scrollTop = ${step / STEPS} * list.scrollHeight; })()`,
      );
      await look.page.waitForTimeout(50);
    }
    await look.page.getByText("Run ends").waitFor({ timeout: 60_000 });
    const long = longTasks(await browser.stopTracing());
    await session.send("HeapProfiler.collectGarbage");
    const used = await session.send("Runtime.getHeapUsage");
    const heap = used.usedSize + used.embedderHeapUsedSize + used.backingStorageSize;
    return { whole, long, heap, rss: look.peak() };
  } finally {
    await look.close();
  }
}

async function open({ dist, folder, browser }) {
  const server = spawn(process.execPath, [join(dist, "cli/harness.js"), "view", "last", "--port", "0", "--no-open"], {
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve) => server.stdout.once("data", (text) => resolve(String(text).trim())));
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const begin = performance.now();
  await page.goto(url);
  await page.waitForSelector(FIRST_EVENT);
  const paint = performance.now() - begin;
  await page.keyboard.press("j");
  await page.waitForSelector(".event.selected");
  const interactive = performance.now() - begin;
  return {
    page,
    context,
    paint,
    interactive,
    peak: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))[1]) * 1024,
    async close() {
      await context.close();
      server.kill("SIGTERM");
      await new Promise((resolve) => server.once("exit", resolve));
    },
  };
}

/** Tasks over 100 ms of processor time; in wall time, load would make any task long. */
function longTasks(trace) {
  const { traceEvents } = JSON.parse(trace.toString());
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ ph, pid, tid, tdur, name }) => ph === "X" && tdur !== undefined && /RunTask$/.test(name) && mains.has(`${pid}/${tid}`),
  );
  if (tasks.length === 0) throw new Error("the browser reported no tasks");
  return tasks.filter(({ tdur }) => tdur > 100_000).length;
}

async function timed(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
