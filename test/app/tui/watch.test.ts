import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { BIN, bash, claudeSays, cleanUp, directory, file, harness, hasTerminal, jsonLines, ROOT, terminal } from "../../support/harness.ts";
import { hostile } from "../../support/hostile.ts";
import { hasTmux, inTmux, type Terminal } from "../../support/tmux.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});
afterAll(cleanUp);

const PATIENCE = 90_000;

const use = { type: "tool_use", id: "t1", name: "Bash", input: { command: "echo needle" } };
const tool = [
  { type: "assistant", message: { id: "m", role: "assistant", content: [use] }, session_id: "s" },
  { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "found 漢字 🎉 here" }] }, session_id: "s" },
];
const lines = `${claudeSays(`Hello ${Object.values(hostile).join(" ")}`)}${tool.map((line) => JSON.stringify(line)).join("\n")}\n`;
const DONE = `${JSON.stringify({ type: "result", subtype: "success", is_error: false, result: "Done.", session_id: "s" })}\n`;

/** A data directory for one test. */
function home(): { XDG_DATA_HOME: string; XDG_CONFIG_HOME: string } {
  const path = directory();
  return { XDG_DATA_HOME: path, XDG_CONFIG_HOME: join(path, "config") };
}

interface Live {
  /** Lets the agent print this and exit. */
  end(line: string): void;
  readonly over: Promise<unknown>;
}

/** A run that has printed these lines, and waits for `end`. */
async function liveRun(lines: string, env: Readonly<Record<string, string>>): Promise<Live> {
  const said = file(lines);
  const last = join(directory(), "last");
  const script = `cat '${said}'; while [ ! -e '${last}' ]; do sleep 0.1; done; cat '${last}'`;
  const args = ["run", "--agent", "generic", "--like", "claude", "--command", `sh -c "${script}"`, "--prompt", "Do it", "--view", "log"];
  const child = spawn(process.execPath, [BIN, ...args], { cwd: ROOT, env: { ...process.env, ...env } });
  closers.push(() => child.kill("SIGTERM"));
  const over = new Promise((resolve) => child.on("close", resolve));
  const count = lines.trimEnd().split("\n").length;
  await new Promise<void>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk;
      if (text.split("\n").length > count) resolve(); // all of them are recorded
    });
    child.stderr.on("data", (chunk: Buffer) => (text += chunk));
    child.on("close", () => reject(new Error(`it ended: ${text}`)));
  });
  return { over, end: (line) => writeFileSync(last, line) };
}

describe("in a pipe", () => {
  test(
    "one JSON object per change, to the end of the run",
    async () => {
      const env = home();
      const live = await liveRun(lines, env);
      const watch = (...args: readonly string[]) => {
        const child = spawn(process.execPath, [BIN, "watch", ...args], { env: { ...process.env, ...env } });
        closers.push(() => child.kill("SIGTERM"));
        return child;
      };
      const [one, all] = [watch("last"), watch()];
      const printed = { stdout: "", stderr: "" };
      one.stderr.on("data", (chunk: Buffer) => (printed.stderr += chunk));
      const seen = [one, all].map(
        (child) =>
          new Promise<void>((resolve) =>
            child.stdout.on("data", (chunk: Buffer) => {
              if (child === one) printed.stdout += chunk;
              if (chunk.includes("✓ $ echo needle")) resolve();
            }),
          ),
      );
      await Promise.all(seen); // both have seen it running
      live.end(DONE);
      const [code] = await once(one, "close");
      const { stdout, stderr } = printed;
      expect(stderr).toBe("");
      expect(code).toBe(0);
      const changes = jsonLines(stdout);
      expect(changes[0]).toMatchObject({ agent: "generic", status: "running" });
      expect(changes.some(({ activity }) => activity === "✓ $ echo needle")).toBe(true);
      expect(changes.at(-1)).toMatchObject({ status: "completed", prompt: "Do it", activity: null });
      await live.over;
    },
    PATIENCE,
  );

  test("a finished run is one object; an unknown one is reported", async () => {
    const env = home();
    await harness(["run", "--agent", "generic", "--command", "echo {prompt}", "--prompt", "Hello"], { env });
    const { code, stdout } = await harness(["watch", "last", "--json"], { env });
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toMatchObject([{ status: "completed", prompt: "Hello" }]);
    const wrong = await harness(["watch", "nonsense"], { env });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/^harness: .*(no run called|Run not found:) "nonsense"|not a run id/);
  });

  test("closing the pipe ends it", async () => {
    const env = home();
    await harness(["run", "--agent", "generic", "--command", "echo {prompt}", "--prompt", "Hello"], { env });
    const { stdout } = await bash("harness watch last | head -c 1", { env });
    expect(stdout).toBe("{");
  });
});

test.runIf(!hasTerminal && !hasTmux)("LEFT OUT: without tmux and script, the full screen was not tested in a terminal", () => {});
test.runIf(hasTerminal && !hasTmux)("LEFT OUT: without tmux, keys, sizes and signals were tested on frames only", () => {});

describe.runIf(hasTerminal)("in a terminal without keys or escape sequences", () => {
  test("plain lines", async () => {
    const env = home();
    await harness(["run", "--agent", "generic", "--command", "echo {prompt}", "--prompt", "Hello"], { env });
    const { code, text } = await terminal(["watch", "last"], { ...env, TERM: "dumb" });
    expect(code).toBe(0);
    expect(text).toMatch(/^\S+ · generic · completed\n$/);
  });
});

describe.runIf(hasTmux)("the full screen, in tmux", () => {
  async function watched(args: readonly string[], env: Readonly<Record<string, string>>, columns = 80, rows = 24): Promise<Terminal> {
    const screen = await inTmux(["watch", ...args], { env, columns, rows });
    closers.push(() => screen.close());
    return screen;
  }

  test(
    "lists, opens, searches, expands, resizes, follows, and restores the terminal",
    async () => {
      const env = home();
      const live = await liveRun(lines, env);
      const screen = await watched([], env);
      await screen.until((text) => /1 live run\n▌ ● generic +running/.test(text) && text.includes("✓ $ echo needle"));
      await screen.keys("Enter");
      await screen.until((text) => text.includes("▌✓ $ echo needle") && text.includes("following"));
      await screen.keys("/", ...Array.from("漢字"), "Enter");
      const opened = await screen.until((text) => text.includes("▌  ┊ output  found 漢字 🎉 here"));
      expect(opened.split("\n").every((line) => !/\p{Cc}/u.test(line))).toBe(true);
      expect(opened).toContain("\\u{1b}[?1049h");
      await screen.resize(40, 10);
      await screen.until((text) => text.includes("▌✓ $ echo needle") && text.split("\n").length <= 11);
      await screen.resize(20, 5);
      await screen.until((text) => text.includes("▌✓ $ echo") && text.split("\n").length <= 6);
      await screen.resize(100, 30);
      await screen.keys("Escape", "f");
      live.end(`${claudeSays("The last message.")}${DONE}`);
      await screen.until((text) => /✓ generic .*completed/.test(text) && text.includes("● The last message."));
      await screen.keys("q");
      await screen.until((text) => text.includes("no live run") && text.includes("Do it"));
      await screen.keys("?");
      await screen.until((text) => text.includes("draw everything again"));
      await screen.keys("q", "q");
      const after = await screen.until((text) => text.includes("EXIT 0"));
      expect(after.trimEnd()).toBe("BEFORE\nEXIT 0");
      await live.over;
    },
    PATIENCE,
  );

  test(
    "a signal, Ctrl-C and an unexpected error restore the terminal",
    async () => {
      const env = home();
      await harness(["run", "--agent", "generic", "--command", "echo {prompt}", "--prompt", "Hello"], { env });
      const crash = file("process.on('SIGUSR2', () => { throw new Error('on purpose'); });", "crash.mjs");
      const ends: readonly (readonly [(screen: Terminal) => Promise<void>, string])[] = [
        [async (screen) => void process.kill(await screen.pid(), "SIGTERM"), "BEFORE\nEXIT 143"],
        [(screen) => screen.keys("C-c"), "BEFORE\nEXIT 130"],
        [
          async (screen) => void process.kill(await screen.pid(), "SIGUSR2"),
          "BEFORE\nharness: internal error: on purpose; this is a bug, please report it\nEXIT 70",
        ],
      ];
      for (const [end, expected] of ends) {
        const screen = await watched(["last"], { ...env, NODE_OPTIONS: `--import=${crash}` });
        await screen.until((text) => text.includes("✓ completed") && !text.includes("BEFORE"));
        await end(screen);
        expect((await screen.until((text) => text.includes("EXIT"))).trimEnd()).toBe(expected);
        screen.close();
      }
    },
    PATIENCE,
  );
});
