import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, test } from "vitest";

const BIN = join(import.meta.dirname, "../../../dist/cli/harness.js");
const folder = mkdtempSync(join(tmpdir(), "harness-model-"));
const scenario = join(folder, "hello.yaml");
writeFileSync(scenario, "turns: [{ text: Hello. }]\n");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** Starts `harness model`; `line()` is the next line it prints. */
function model(args: readonly string[]) {
  const child = spawn(process.execPath, [BIN, "model", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (data: Buffer) => {
    stderr += data.toString();
  });
  const ended = new Promise<Ended>((resolve) => child.on("close", (code, signal) => resolve({ code, signal, stderr })));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const next = await lines.next();
    return next.done === true ? "" : next.value;
  };
  return { child, ended, line };
}

async function ask(url: string): Promise<string> {
  const body = JSON.stringify({ model: "m", tools: [{ name: "Bash" }], messages: [{ role: "user", content: "hi" }] });
  return (await fetch(`${url}/v1/messages`, { method: "POST", body, headers: { "x-api-key": "SECRET" } })).text();
}

describe("harness model", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("prints the address, then the ledger live; %s ends it with 0", async (signal) => {
    const ledger = join(folder, `${signal}.jsonl`);
    const { child, ended, line } = model([scenario, "--ledger", ledger]);
    const url = await line();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await ask(url)).toContain("Hello.");
    const entry = await line();
    expect(JSON.parse(entry)).toMatchObject({ seq: 1, kind: "main", marker: "hello", turn: 0, status: 200 });
    expect(entry).not.toContain("SECRET");
    child.kill(signal);
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr.match(/^# .+/gm)?.length).toBe(9);
    expect(stderr).toContain(`ANTHROPIC_BASE_URL=${url} `);
    expect(stderr).toContain(`base_url="${url}/v1"`);
    expect(stderr).toContain("[[hello]]");
    expect(readFileSync(ledger, "utf8")).toBe(`${entry}\n`);
  });

  test.each([
    [[join(folder, "none.yaml")], 2, /^harness: Cannot read the scenario .*none\.yaml: there is no such file\.\n$/],
    [[], 2, /^harness: Missing argument: path/],
    [[scenario, "--port", "70000"], 2, /Pass a whole number from 0 to 65535/],
    [[scenario, "--ledger", join(folder, "no", "such", "folder")], 74, /^harness: Cannot write the ledger /],
  ])("%j: exit code %i and one sentence", async (args, code, sentence) => {
    const { ended, line } = model(args);
    expect(await line()).toBe("");
    const end = await ended;
    expect(end).toMatchObject({ code });
    expect(end.stderr).toMatch(sentence);
    expect(end.stderr.split("\n").length).toBe(2);
  });

  test("a taken port", async () => {
    const first = model([scenario]);
    const url = await first.line();
    const second = model([scenario, "--port", new URL(url).port]);
    const { code, stderr } = await second.ended;
    expect(code).toBe(2);
    expect(stderr).toContain("is in use. Choose a different port");
    first.child.kill("SIGTERM");
    expect((await first.ended).code).toBe(0);
  });

  test("a reader that leaves ends it", async () => {
    const { child, ended, line } = model([scenario]);
    const url = await line();
    child.stdout.destroy();
    await ask(url);
    expect((await ended).code).toBe(141);
  });

  test.runIf(existsSync("/dev/full"))("a ledger that cannot be written ends it", async () => {
    const { ended, line } = model([scenario, "--ledger", "/dev/full"]);
    await ask(await line());
    expect(await ended).toMatchObject({ code: 74, stderr: expect.stringContaining("Cannot write the ledger /dev/full") });
  });
});
