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
