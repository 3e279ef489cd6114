import { execFileSync, spawnSync } from "node:child_process";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Engine, type EngineLimits, openEngine } from "../../../src/work/native/repl/engine.ts";
import type { Ask } from "../../../src/work/native/repl/engine-message.ts";

const never = new AbortController().signal;
const engines: Engine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

function opened(context?: unknown, limits: EngineLimits = {}) {
  const engine = openEngine(context, { timeMs: 20_000, ...limits });
  engines.push(engine);
  return async (code: string, answer: (ask: Ask) => Promise<unknown> = () => Promise.reject(new Error("nobody")), signal = never) => {
    const printed = { stdout: "", stderr: "" };
    const end = await engine.run(
      code,
      {
        print: (stream, chunk) => {
          printed[stream] += chunk;
        },
        answer,
      },
      signal,
    );
    return { ...end, ...printed };
  };
}

describe("a program", () => {
  test("prints, has its context, and keeps its declarations; a name may be declared again", async () => {
    const run = opened({ names: ["a", "b"] });
    expect(await run('const n = context.names.length; let text = "let it be"; print(n, text, { n }, [1n, undefined], () => 1)')).toEqual({
      stdout: '2 let it be {"n":2} ["1n",null] [function]\n',
      stderr: "",
      truncated: false,
    });
    expect(await run("const n = context.names[1];\nconsole.error(n, text);")).toMatchObject({ stdout: "", stderr: "b let it be\n" });
    expect(await run("FINAL_VAR('n'); for (const n of [1]) { let text = n; }")).toMatchObject({ final: "b" });
    expect(await run("FINAL({ text })")).toMatchObject({ final: '{"text":"let it be"}' });
  });

  test("asks, and waits for the answer, with await or without", async () => {
    const run = opened();
    const asks: Ask[] = [];
    const answer = async (ask: Ask) => {
      asks.push(ask);
      if (ask.what === "llm_query") return ask.prompts.map((prompt) => prompt.toUpperCase());
      if (ask.what === "exec") throw new Error("exec is not permitted: no");
      return { deep: ask.what === "sub_rlm" ? ask.context : null };
    };
    const code = `const one = await llm_query("a"); const many = llm_query(["b", "c"]);
      print(one, many, sub_rlm("d", { e: 1 }));
      try { exec("ls") } catch (error) { print(error.message) }`;
    expect(await run(code, answer)).toMatchObject({ stdout: 'A ["B","C"] {"deep":{"e":1}}\nexec is not permitted: no\n' });
    expect(asks).toEqual([
      { type: "ask", what: "llm_query", prompts: ["a"] },
      { type: "ask", what: "llm_query", prompts: ["b", "c"] },
      { type: "ask", what: "sub_rlm", prompt: "d", context: { e: 1 } },
      { type: "ask", what: "exec", command: "ls" },
    ]);
    expect(await run("await llm_query('x')", () => Promise.reject(new Error("over")))).toMatchObject({ error: "Error: over (line 1)" });
  });

  test("that fails says how", async () => {
    const run = opened();
    const cases = [
      ["throw new TypeError('odd')", "TypeError: odd (line 1)"],
      ["1 +", "SyntaxError"],
      ["nowhere", "ReferenceError: 'nowhere' is not defined"],
      ["throw 3", "Uncaught 3"],
      ["await new Promise(() => {})", "It waits forever"],
      ["FINAL_VAR('a b')", "FINAL_VAR takes the name of a variable"],
    ] as const;
    for (const [code, error] of cases) expect((await run(code)).error, code).toContain(error);
  });
});

describe("a hostile program", () => {
  test("is stopped, and the next one runs", async () => {
    const run = opened(undefined, { timeMs: 500, memoryMb: 64 });
    const cases = [
      ["while (true);", "It ran for more than 0.5 s"],
      ["for (;;) { try { for (;;); } catch {} }", "It ran for more than 0.5 s"],
      ["(function again() { Promise.resolve().then(again) })()", "It ran for more than 0.5 s"],
      ["/(a+)+b/.test('a'.repeat(50))", "It ran for more than 0.5 s"],
      ["{ const all = []; for (;;) all.push('x'.repeat(1e6) + all.length) }", "out of memory"],
      ["new ArrayBuffer(2 ** 31)", ""],
      ["(function deep() { deep() })()", "stack overflow"],
      ["{ let s = 'a'; for (;;) s += s }", ""],
    ] as const;
    for (const [code, error] of cases) {
      expect((await run(code)).error, code).toContain(error);
      expect(await run("print(1 + 1)"), code).toMatchObject({ stdout: "2\n" });
    }
  });

  test("has no files, network, processes, threads, timers or environment", async () => {
    const run = opened();
    const cases = [
      "require('node:fs')",
      "process.env",
      "fetch('http://127.0.0.1')",
      "new WebSocket('ws://127.0.0.1')",
      "await import('node:net')",
      "host('ask', '{}')",
      "std.loadFile('/etc/passwd')",
      "os.exec(['ls'])",
      "setTimeout(() => {}, 1)",
      "globalThis.constructor.constructor('return process')().env",
      "new Worker('x')",
      "navigator.userAgent",
    ];
    for (const code of cases) expect((await run(code)).error, code).toMatch(/is not defined|could not load module/);
  });

  test("prints no more than the limit", async () => {
    const run = opened(undefined, { output: 10_000 });
    const { stdout, truncated, error } = await run("for (let i = 0; i < 1e5; i++) print('a line of some length')");
    expect({ length: stdout.length, truncated, error }).toEqual({ length: 10_000, truncated: true, error: undefined });
    expect(await run("print('again')")).toMatchObject({ stdout: "again\n", truncated: false });
  });

  test("changes its globals and harms only itself", async () => {
    const run = opened({ a: 1 });
    await run("JSON.stringify = () => 'broken'; Array.isArray = () => true; print = 1; Error = 2; Object.prototype.what = 'exec'");
    const asks: Ask[] = [];
    await run("llm_query('x')", async (ask) => {
      asks.push(ask);
      return ["y"];
    });
    expect(asks[0]).toMatchObject({ what: "llm_query", prompts: ["x"] });
  });

  test("is gone immediately when it is canceled, also while it waits", async () => {
    for (const code of ["while (true);", "llm_query('for ever')"]) {
      const stop = new AbortController();
      const run = opened();
      await run("1");
      const ended = run(code, () => new Promise(() => {}), stop.signal);
      setTimeout(() => stop.abort(), 300);
      const started = performance.now();
      expect(await ended).toMatchObject({ error: "Canceled." });
      expect(performance.now() - started).toBeLessThan(5_000);
    }
  });

  test("leaves nothing behind", async () => {
    const run = opened();
    await run("1");
    expect(enginesOf(process.pid)).not.toEqual([]);
    for (const engine of engines.splice(0)) await engine.close();
    expect(enginesOf(process.pid)).toEqual([]);
  });
});

test("an engine ends by itself when its harness is killed, also in the middle of a loop", async () => {
  const engine = new URL("../../../dist/cli/repl-engine.js", import.meta.url).pathname;
  const script = `
    const child = require("node:child_process").spawn(process.execPath, [${JSON.stringify(engine)}], { stdio: ["pipe", "pipe", "inherit"] });
    child.stdin.write(JSON.stringify({ type: "start", context: null, memoryMb: 64, outputLimit: 10 }) + "\\n");
    child.stdout.once("data", () => {
      child.stdin.write(JSON.stringify({ type: "run", code: "while (true);", limitMs: 1e9 }) + "\\n");
      setTimeout(() => { console.log(child.pid); process.kill(process.pid, "SIGKILL"); }, 300);
    });`;
  const { stdout } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  const pid = Number(stdout);
  expect(pid).toBeGreaterThan(1);
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), { timeout: 20_000 });
});

function enginesOf(parent: number): string[] {
  const lines = execFileSync("ps", ["-eo", "ppid=,args="], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line.trim().startsWith(`${parent} `) && line.includes("repl-engine"));
}
