import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { sample } from "../../../support/full.ts";
import {
  carrying,
  cleanUp,
  command,
  expectNoOrphan,
  expectWhole,
  isAlive,
  LONG_MS,
  place,
  procFile,
  type Started,
} from "../../../support/place.ts";

afterAll(cleanUp);

/** Every character is spelled differently in JSON, in a URL and in base64. */
const KEY = 'sk-canary/9f+"quoted"\\ö&=?%41-end';
const env = { CANARY_API_KEY: KEY };
const bytes = Buffer.from(KEY);
const FORMS: readonly string[] = [
  KEY,
  JSON.stringify(KEY).slice(1, -1),
  JSON.stringify(JSON.stringify(KEY).slice(1, -1)).slice(1, -1),
  encodeURIComponent(KEY),
  bytes.toString("base64").slice(0, -4),
  Buffer.concat([Buffer.from("user:"), bytes])
    .toString("base64")
    .slice(8, -4),
  "sk-canary", // not half of it either
];

/** All bytes of all files below. */
function contents(directory: string): string {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

function expectNoSecret(text: string, what: string): void {
  for (const form of FORMS) expect(text.includes(form), `${what} holds ${form}`).toBe(false);
}

/** The command lines of everything with this mark, of its watcher, and of the recorder, until it ends. */
async function commandLines({ pid, done }: Started, mark: string): Promise<string> {
  let text = "";
  let isOver = false;
  const over = done.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const watchers = readdirSync("/proc")
      .map(Number)
      .filter((each) => each > 0 && procFile(each, "cmdline").includes("harness-watch"));
    for (const each of [pid, ...watchers, ...carrying(mark)]) text += procFile(each, "cmdline").toString();
    await Promise.race([over, pause(50)]);
  }
  return text;
}

describe.concurrent("case 66: a secret appears nowhere", () => {
  test.each(sample(["stream", "activity", "log", "result"], 2))(
    "printed in every form, complete and in pieces: view %s",
    { timeout: LONG_MS },
    async (view) => {
      const { root, start, harness, recording } = place();
      const started = start(
        ["run", "--prompt", `My key is ${KEY}.`, "--name", `for ${KEY}`, "--tag", KEY, ...command("leaks.mjs"), "--view", view],
        { env },
      );
      const lines = await commandLines(started, KEY);
      const done = await started.done;
      expect(done.code).toBe(1);
      expectNoSecret(
        lines // of the other tests in this file too, which pass it themselves
          .replaceAll(`My key is ${KEY}.`, "")
          .replaceAll(`for ${KEY}`, "")
          .replaceAll(`--tag\0${KEY}`, "")
          .replaceAll(`--\0${KEY}`, "")
          .replaceAll(`needs-an-interpreter\0${KEY}`, ""), // its walls are built before it fails
        "a command line",
      );
      expectNoSecret(done.stdout + done.stderr, "our output");
      expectNoSecret(contents(root), "the data directory");
      const { sealed, raw, stderr, manifest, stream } = recording();
      expectWhole(stream);
      expect(sealed?.masked).toBeGreaterThan(40);
      expect(manifest.secrets).toEqual({ names: expect.arrayContaining(["CANARY_API_KEY"]) });
      expect(raw.match(/whole$/gm)).toHaveLength(7);
      expect(raw.match(/split$/gm)).toHaveLength(21);
      expect(stderr).toMatch(/error: 401 for the key \*+$/);
      for (const again of [
        ["derive", "last"],
        ["replay", "last", "--speed", "max"],
      ])
        expect((await harness([...again, "--view", view])).stdout).toBe(done.stdout);
      expect((await harness(["sessions", "verify", "last"])).code).toBe(0);
    },
  );

  test("not in what a parallel reader sees, nor in the list of running runs", { timeout: LONG_MS }, async () => {
    const { start, harness, recordings } = place();
    const running = start(["run", "--prompt", `My key is ${KEY}.`, ...command("ticks.mjs", "100000", "20")], { env });
    await running.printed("line 3");
    const id = recordings()[0]?.id ?? "";
    const follower = start(["derive", id, "--follow", "--view", "stream"]);
    await follower.printed("line 3");
    const others = await Promise.all([
      harness(["derive", id, "--view", "log"]),
      harness(["sessions", "list"]),
      harness(["sessions", "show", id]),
    ]);
    process.kill(running.pid, "SIGTERM");
    const [{ stdout }, followed] = await Promise.all([running.done, follower.done]);
    for (const { stdout: text } of [...others, followed]) expectNoSecret(text, "what a reader sees");
    expect(followed.stdout).toBe(stdout);
  });

  test("after a crash, the next open masks it", { timeout: LONG_MS }, async () => {
    const { root, start, harness, recording } = place();
    const started = start(["run", "--prompt", `My key is ${KEY}.`, ...command("leaks-and-stays.mjs")], { env });
    await started.printed("SessionStart");
    process.kill(started.pid, "SIGKILL");
    await started.done;
    await expectNoOrphan(recording());
    const list = await harness(["sessions", "list"]);
    expectNoSecret(list.stdout + list.stderr, "the list");
    expectNoSecret(contents(root), "the data directory");
    expect(recording().sealed).toMatchObject({ status: "crashed" });
    expect(recording().sealed?.masked).toBeGreaterThan(0);
  });

  test("not in a dry run", async () => {
    const { run } = place();
    const dry = await run(["--dry-run", ...command("leaks.mjs"), "--", KEY], { env });
    expect(dry.code).toBe(0);
    expectNoSecret(dry.stdout + dry.stderr, "a dry run");
  });

  test("not in an error before the run", async () => {
    const { run, root } = place();
    const refused = await run([...command("needs-an-interpreter"), "--", KEY], { env });
    expect(refused.code).toBe(2);
    expectNoSecret(refused.stdout + refused.stderr, "a refusal");
    expectNoSecret(contents(root), "the data directory");
  });
});

test("distinguishes a live process from a dead one", () => {
  expect(isAlive(process.pid)).toBe(true);
  expect(isAlive(2 ** 30)).toBe(false);
});
