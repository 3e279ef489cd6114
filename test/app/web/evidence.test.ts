import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installed } from "../../../src/host/process/find-binary.ts";
import { probeTrace } from "../../../src/work/observe/commands/trace/probe-trace.ts";
import { cleanUp, type Place, place } from "../../support/place.ts";
import { expectAccessible, keepPicture, launch, look, type Seen, SIGHTS, widthOf } from "./browser.ts";
import { payloads } from "./hostile.ts";
import { record } from "./recorded.ts";
import { type Visited, visited } from "./server.ts";

/** The evidence of an observed run, in a real browser. The agent claims more than it does. */

const folder = mkdtempSync(join(tmpdir(), "harness-evidence-"));
const strace = installed(["strace"], process.env["PATH"]);
const canTrace = strace !== undefined && probeTrace(strace)?.seesEffects === true;
let browser: Browser;
let where: Place;
let page: Visited;
let liar: string;
let hostile: string;
let unobserved: string;
beforeAll(async () => {
  where = place();
  browser = await launch();
  unobserved = await record(where, "claude/full");
  liar = await observed("liar", [
    call("1", "Write", { file_path: "notes.txt", content: "new" }), // a lie
    call("2", "Bash", { command: "git --version" }),
    "git --version",
    "printf 'one\\ntwo\\nthree\\nfour\\n' > list.txt; rm old.txt; mkdir -p lib; echo 'export const sum = (a, b) => a + b;' > lib/sum.js",
    "git no-such-command",
    ...says("I wrote notes.txt, and all tests pass. 🎉"),
  ]);
  hostile = await observed("hostile", [
    ...payloads.slice(0, 12).map((text, i) => call(`h${i}`, "Write", { file_path: text, content: text })),
    ...payloads.map((text, i) => ({ write: `${i} ${text.replaceAll("/", "∕").replaceAll("\0", "").slice(0, 80)}`, text })),
    ...says(payloads.join("\n")),
  ]);
  page = await visited(where);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await page?.close();
  rmSync(folder, { recursive: true, force: true });
  cleanUp();
});

function call(id: string, name: string, input: object): readonly object[] {
  return [
    { type: "assistant", message: { id: `m${id}`, role: "assistant", content: [{ type: "tool_use", id, name, input }] } },
    { type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "ok", is_error: false }] } },
  ];
}

function says(text: string): readonly object[] {
  return [
    { type: "assistant", message: { id: "last", role: "assistant", content: [{ type: "text", text }] } },
    { type: "result", subtype: "success", is_error: false, result: text, session_id: "s" },
  ];
}

type Step = object | string | readonly object[];

/** A program that prints these lines of Claude Code and runs the commands between them. */
async function observed(name: string, steps: readonly Step[], options: readonly string[] = []): Promise<string> {
  const own = join(folder, name);
  mkdirSync(join(own, "workspace"), { recursive: true });
  writeFileSync(join(own, "workspace/list.txt"), "one\nthree\n");
  writeFileSync(join(own, "workspace/old.txt"), "old\n");
  const lines = steps.flat().map((step) => {
    if (typeof step === "string") return `run(${JSON.stringify(step)});`;
    if ("write" in step)
      return `try { writeFileSync(${JSON.stringify(step.write)}, ${JSON.stringify("text" in step ? step.text : "")}); } catch {}`;
    return `console.log(${JSON.stringify(JSON.stringify({ session_id: "s", ...step }))});`;
  });
  const program = join(own, "agent.mjs");
  const head = ['import { execSync } from "node:child_process";', 'import { writeFileSync } from "node:fs";'];
  const run = 'const run = (line) => { try { execSync(line, { stdio: "ignore" }); } catch {} };';
  writeFileSync(program, [...head, run, ...lines].join("\n"));
  const before = new Set(where.recordings().map(({ id }) => id));
  const who = ["--agent", "generic", "--like", "claude", "--command", `${process.execPath} ${program}`, "--prompt", "Do it."];
  const how = ["--workspace", join(own, "workspace"), "--out", join(own, "out"), "--wrap", "git"];
  const checks = ["--checks", "truth.consistent,security.no_secrets,style.no_emojis,scope.no_new_dependencies"];
  const done = await where.harness(["observe", ...who, ...how, ...checks, ...options]);
  const found = where.recordings().find(({ id }) => !before.has(id));
  if (found === undefined) throw new Error(`Nothing was observed: ${done.stderr}`);
  return found.id;
}

test.each(SIGHTS)("shows claims next to observations ($width, $scheme)", async (sight) => {
  const seen = await look(browser, `${page.url}/runs/${liar}/evidence`, sight);
  await seen.page.waitForSelector(".finding");
  expect(await seen.page.locator(".finding").count()).toBeGreaterThan(1);
  expect(await widthOf(seen)).toBeLessThanOrEqual(sight.width ?? 0);
  await expectAccessible(seen);
  await keepPicture(seen, `evidence-${sight.width}-${sight.scheme}`);
  await seen.page.locator(".diff-viewer").scrollIntoViewIfNeeded();
  await keepPicture(seen, `evidence-files-${sight.width}-${sight.scheme}`);
  expect(seen.troubles).toEqual([]);
  await seen.close();
});

test("findings, checks, commands and files match the recording", async () => {
  const { stdout } = await where.harness(["derive", liar, "--view", "truth"]);
  const truth = JSON.parse(stdout) as { findings: { message: string; rule: string }[] };
  const seen = await look(browser, `${page.url}/runs/${liar}/evidence`);
  await seen.page.waitForSelector(".finding");
  expect(await seen.page.locator(".finding h3 code").allTextContents()).toEqual(truth.findings.map(({ rule }) => rule));
  const checks = await seen.page.locator(".checks").first().textContent();
  expect(checks).toContain("truth.consistent");
  expect(await seen.page.locator(".checks .status.bad").count()).toBeGreaterThan(0);
  expect(await seen.page.locator(".commands li").allTextContents()).toEqual([
    expect.stringContaining("git --version"),
    expect.stringContaining("git no-such-command"),
  ]);
  expect(await seen.page.locator(".files .path").allTextContents()).toEqual(expect.arrayContaining(["list.txt", "old.txt", "lib/sum.js"]));
  await seen.page.locator(".files button", { hasText: "list.txt" }).click();
  const added = seen.page.locator(".file-diff .added");
  await expect.poll(() => added.allTextContents()).toEqual(["2+two", "4+four"]);
  await seen.page.locator(".files button", { hasText: "old.txt" }).click();
  await expect.poll(() => seen.page.locator(".file-diff .removed").allTextContents()).toEqual(["1-old"]);
  await seen.page.locator(".finding .event-links a").first().click();
  await seen.page.waitForSelector(".inspector");
  expect(seen.troubles).toEqual([]);
  await seen.close();
});

test.skipIf(!canTrace)("shows what a trace saw outside the workspace", async () => {
  const beside = join(folder, "<b>beside");
  const traced = await observed("traced", [{ write: beside, text: "x" }, "true", ...says("Done.")], ["--trace"]);
  const seen = await look(browser, `${page.url}/runs/${traced}/evidence`);
  await seen.page.waitForSelector(".effects");
  expect(await seen.page.locator(".effects li").allTextContents()).toEqual([`${beside}written by the agent`]);
  expect(seen.troubles).toEqual([]);
  await seen.close();
});

test("the patch is a download; no other file of the run is served", async () => {
  const answer = await page.get(`/api/runs/${liar}/patch`);
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; /);
  expect(await answer.text()).toBe(readFileSync(join(where.runs, liar, "artifacts/fs_diff.patch"), "utf8"));
  expect((await page.get(`/api/runs/${unobserved}/patch`)).status).toBe(404);
  expect((await page.get(`/api/runs/${liar}/patch/..%2f..%2frun.json`)).status).toBe(404);
});

test("a run that was not observed says how to observe one", async () => {
  const seen = await look(browser, `${page.url}/runs/${unobserved}/evidence`);
  await seen.page.getByText("This run was not observed").waitFor();
  await expectAccessible(seen);
  await keepPicture(seen, "evidence-none");
  await seen.close();
});

test("works in an exported file, without a server", async () => {
  const path = join(folder, "run.html");
  await where.harness(["view", liar, "--export", path]);
  const seen = await look(browser, `${pathToFileURL(path).href}#/runs/${liar}/evidence`, { offline: true });
  await seen.page.waitForSelector(".finding");
  await seen.page.locator(".files button", { hasText: "list.txt" }).click();
  await expect.poll(() => seen.page.locator(".file-diff .added").count()).toBe(2);
  expect(seen.troubles).toEqual([]);
  await seen.close();
});

test("hostile file names, contents and claims are shown and do no harm", async () => {
  const seen = await look(browser, `${page.url}/runs/${hostile}/evidence`);
  await seen.page.waitForSelector(".diff-viewer");
  await keepPicture(seen, "evidence-hostile");
  const files = seen.page.locator(".files button");
  const count = await files.count();
  expect(count).toBeGreaterThan(20);
  for (let i = 0; i < count; i += 4) {
    await files.nth(i).click();
    await expect.poll(() => seen.page.locator(".file-diff .added").count()).toBeGreaterThan(0);
  }
  await expectHarmless(seen);
  await seen.close();
});

async function expectHarmless({ page: tab, troubles }: Seen): Promise<void> {
  expect(await tab.evaluate("window.pwned")).toBeUndefined();
  expect(await tab.locator("iframe, object, embed, form, img, svg, #page script, #page style, #page [onclick]").count()).toBe(0);
  expect(troubles).toEqual([]);
}
