import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folder, scripted } from "./support.ts";

const LONG = { timeout: 60_000 };

/** Runs examples/chat with the built library, as a user would. */
async function chat(scenario: string) {
  const server = await scripted(scenario);
  const [root, data] = [folder(), folder()];
  const env = { ...process.env, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "k", XDG_DATA_HOME: data };
  const child: ChildProcess = spawn(process.execPath, ["examples/chat/chat.mjs", "anthropic/scripted", root], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let shown = "";
  child.stdout?.on("data", (chunk) => {
    shown += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    shown += chunk;
  });
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
  return {
    root,
    data,
    exited,
    say: (line: string) => child.stdin?.write(`${line}\n`),
    end: () => child.stdin?.end(),
    sees: (text: string) => expect.poll(() => shown, { timeout: 30_000 }).toContain(text),
    shown: () => shown,
  };
}

const TWO = `
turns:
  - { tools: [{ name: write, input: { path: a.txt, content: one } }, { name: shell, input: { command: "echo two > b.txt" } }] }
  - { text: Both are decided. }
  - { text: As I said. }`;

test("the example asks before it acts, and remembers the conversation", LONG, async () => {
  expect(readFileSync("examples/chat/chat.mjs", "utf8").split("\n").length).toBeLessThanOrEqual(101);
  const { say, sees, shown, end, exited, root, data } = await chat(TWO);
  say("Write both.");
  await sees('? write {"path":"a.txt"');
  say("y");
  await sees("? shell");
  say("Not with a command.");
  await sees("Both are decided.");
  await sees("Not with a command.");
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one");
  expect(existsSync(join(root, "b.txt"))).toBe(false);
  await expect.poll(shown, { timeout: 30_000 }).toMatch(/\n> $/); // it waits for the next message
  say("And now?");
  await sees("As I said.");
  end();
  expect(await exited).toBe(0);
  expect(readdirSync(join(data, "harness", "runs")).length).toBe(2);
});

test("without an answer, nothing runs", LONG, async () => {
  const { say, sees, end, exited, root } = await chat(TWO);
  say("Write both.");
  await sees("? write");
  end();
  expect(await exited).toBe(0);
  expect(readdirSync(root)).toEqual([]);
});
