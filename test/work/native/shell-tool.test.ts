import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ShellLimits } from "../../../src/work/native/tools/shell-tool.ts";
import { workspaceTools } from "../../../src/work/native/workspace-tools.ts";
import { isAlive } from "../../support/place.ts";
import { folder } from "./support.ts";

interface Answer {
  readonly context: string;
  readonly result: { readonly exitCode: number | null; readonly timedOut: boolean; readonly exceeded?: string };
}

async function shell(
  command: string,
  {
    limits = {} as ShellLimits,
    environment = process.env,
    signal = new AbortController().signal,
    timeout_secs = undefined as number | undefined,
  } = {},
) {
  const root = folder();
  const { shell: tool } = await workspaceTools({ root, shell: limits, environment });
  const progress: string[] = [];
  const context = { progress: (content: unknown) => progress.push((content as { output: string }).output) };
  const started = performance.now();
  const answer = (await tool?.execute?.(
    { command, ...(timeout_secs !== undefined && { timeout_secs }) },
    { toolCallId: "c", messages: [], abortSignal: signal, experimental_context: context },
  )) as Answer;
  const pids = existsSync(join(root, "pids")) ? readFileSync(join(root, "pids"), "utf8").trim().split("\n").map(Number) : [];
  return { ...answer, progress, pids, root, took: performance.now() - started };
}

/** A killed process may wait until it is reaped. */
async function expectGone(pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([]);
}

describe("a command", () => {
  test("its output in one stream, its end, and its progress as it comes", async () => {
    const { context, result, progress } = await shell("echo out; echo err >&2; sleep 0.3; echo more; exit 4");
    expect(context).toBe("out\nerr\nmore\nIt ended with exit code 4.");
    expect(result).toEqual({ exitCode: 4, signal: null, timedOut: false });
    expect(progress.join("")).toBe("out\nerr\nmore\n");
    expect(progress.length).toBeGreaterThan(1);
    expect((await shell("true")).context).toBe("(no output)");
    expect((await shell("if")).context).toMatch(/syntax error/);
  });

  test("it does not see model keys", async () => {
    const environment = { ...process.env, ANTHROPIC_API_KEY: "sk-canary", OPENROUTER_API_KEY: "sk-canary", KEPT: "yes" };
    const { context } = await shell("env", { environment });
    expect(context).toContain("KEPT=yes");
    expect(context).not.toContain("sk-canary");
  });

  test("a long output keeps its beginning and its end", async () => {
    const { context } = await shell("seq 100000", { limits: { characters: 1000 } });
    expect(context).toMatch(/^1\n2\n[\s\S]*characters left out[\s\S]*\n100000$/);
    expect(context.length).toBeLessThan(1100);
  });

  test("a command that does not end is stopped, with everything it started", async () => {
    const command = 'echo $$ >> pids; (setsid sleep 1000 & echo $! >> pids); trap "" TERM; sleep 1000 & echo $! >> pids; wait';
    const { context, result, pids } = await shell(command, { timeout_secs: 0.5 });
    expect(context).toContain("It was stopped after 0.5 seconds.");
    expect(result.timedOut).toBe(true);
    expect(pids.length).toBeGreaterThan(1);
    await expectGone(pids);
  });

  test("processes that a finished command left behind are stopped too", async () => {
    const { pids } = await shell("(setsid sleep 1000 >/dev/null 2>&1 & echo $! >> pids); echo done");
    await expectGone(pids);
  });

  test("a flood of output is stopped", async () => {
    const { context, result } = await shell("yes", { limits: { output: 5_000_000 } });
    expect(context).toMatch(/because it printed too much\.$/);
    expect(result.exceeded).toBe("output");
  });

  test("a command that starts ever more processes is stopped", async () => {
    const { context, result, pids, took } = await shell("while :; do sleep 300 & echo $! >> pids; sleep 0.005; done", {
      limits: { processes: 20 },
    });
    expect(context).toMatch(/because it started too many processes\.$/);
    expect(result.exceeded).toBe("processes");
    await expectGone(pids);
    expect(took).toBeLessThan(60_000);
  });

  test("a canceled command throws when it is gone", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 400);
    await expect(shell("echo $$ >> pids; sleep 1000", { signal: stop.signal })).rejects.toThrow(/abort/i);
  });
});

test("an endless expression is stopped, file by file", { timeout: 60_000 }, async () => {
  const root = folder();
  const { write, search } = await workspaceTools({ root });
  const options = { toolCallId: "c", messages: [] };
  await write?.execute?.({ path: "a", content: `${"a".repeat(40)}b` }, options);
  await write?.execute?.({ path: "b", content: "fine" }, options);
  const answer = (await search?.execute?.({ pattern: "^(a+)+$|fine" }, options)) as Answer;
  expect(answer.context).toBe("b:1: fine\n(1 files took too long)");
});

describe("K10: a shell that lasts", () => {
  /** Calls tools of one conversation. */
  async function conversation(limits: ShellLimits = {}) {
    const root = folder();
    const tools = await workspaceTools({ root, shell: limits });
    const state = new Map();
    const stop = new AbortController();
    const call = async (name: string, input: object) =>
      (await tools[name]?.execute?.(input, {
        toolCallId: "c",
        messages: [],
        abortSignal: stop.signal,
        experimental_context: { progress: () => {}, state },
      })) as { readonly context: string; readonly result: Record<string, unknown> };
    return { root, call, stop, tools, state };
  }

  test("keeps its directory, also after a failure, and only inside the workspace", async () => {
    const { root, call } = await conversation();
    const shell = (command: string) => call("shell", { command });
    expect((await shell("mkdir -p src/deep && cd src && false")).context).toBe("(no output)\nIt ended with exit code 1.\n(now in src)");
    expect((await shell("pwd; cd deep; exit 0")).context).toBe(`${join(root, "src")}\n(now in src/deep)`);
    expect((await shell("cd ../..")).context).toBe("(no output)\n(now in the workspace)");
    await shell("cd src");
    expect((await shell("cd /")).context).toBe("(no output)\n/ is outside the workspace: the next command starts in the workspace again.");
    expect((await shell("pwd")).context).toBe(root);
    await shell("cd src/deep");
    expect((await shell("cd ..; rmdir deep")).context).toContain("(now in src)");
    await shell("mkdir gone; cd gone; rmdir ../gone");
    expect((await shell("pwd")).context).toMatch(new RegExp(`^${root}(/src)?$`));
    expect((await shell("cd /nowhere")).context).toContain("exit code 1");
    expect((await shell("exec true")).context).toBe("(no output)");
  });

  test("says what it ended when a command was done", async () => {
    const { call } = await conversation();
    expect((await call("shell", { command: "sleep 1000 & echo started" })).context).toBe("started\nWhat it left running was ended: sleep.");
  });

  test("runs commands in the background: their output, their end, and a way to stop them", async () => {
    const { root, call } = await conversation();
    const started = await call("shell", {
      command: "echo $$ > pid; echo ready; while [ ! -e go ]; do sleep 0.05; done; echo went; exit 3",
      background: true,
    });
    expect(started).toEqual({ context: "It runs in the background as job-1.", result: { background: "job-1" } });
    await expect.poll(async () => (await call("shell_output", { job: "job-1" })).context, { timeout: 30_000 }).toContain("ready");
    expect((await call("shell_output", { job: "job-1" })).context).toBe("(no new output)\njob-1 is still running.");
    await call("shell", { command: "touch go" });
    expect((await call("shell_output", { job: "job-1", wait_secs: 60 })).context).toBe("went\nIt ended with exit code 3.");
    await call("shell", { command: "sleep 1000 & echo $! > pids; wait", background: true });
    await expect
      .poll(() => existsSync(join(root, "pids")) && readFileSync(join(root, "pids"), "utf8") !== "", { timeout: 30_000 })
      .toBe(true);
    expect((await call("shell_stop", { job: "job-2" })).context).toContain("It was stopped.");
    await expectGone([Number(readFileSync(join(root, "pids"), "utf8"))]);
    await expect(call("shell_output", { job: "job-9" })).rejects.toThrow("There is no background command job-9. There are: job-1 (echo");
  });

  test("ends background commands with the run", async () => {
    const { root, call, stop } = await conversation();
    await call("shell", { command: "echo $$ > pids; exec sleep 1000", background: true });
    await expect
      .poll(() => existsSync(join(root, "pids")) && readFileSync(join(root, "pids"), "utf8") !== "", { timeout: 30_000 })
      .toBe(true);
    stop.abort();
    await expectGone([Number(readFileSync(join(root, "pids"), "utf8"))]);
  });
});
