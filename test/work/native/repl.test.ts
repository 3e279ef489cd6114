import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createGraph, reduceEvent } from "../../../src/pure/conversation/graph.ts";
import { usageOf } from "../../../src/pure/conversation/usage-of.ts";
import type { Harness, HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import type { ProviderCall } from "../../../src/work/native/provider-harness.ts";
import { type ReplCall, type ReplOptions, replHarness } from "../../../src/work/native/repl/repl-harness.ts";
import { all, closed, only } from "./support.ts";

/** A model that says the given text, or what a function makes of its messages. */
function saying(answers: (string | ((prompt: string) => string))[]): Harness<ProviderCall> & { readonly prompts: string[] } {
  const prompts: string[] = [];
  let count = 0;
  return {
    prompts,
    async *invoke({ messages, parentId = "" }) {
      const runId = `m${++count}`;
      const { content } = messages.at(-1) ?? {};
      const prompt = typeof content === "string" ? content : "";
      prompts.push(prompt);
      const next = answers.shift() ?? "FINAL(nothing left)";
      yield { type: "harness_start", runId, parentId, agent: "provider" };
      yield { type: "text", runId, id: `${runId}/text`, content: typeof next === "string" ? next : next(prompt) };
      yield { type: "usage", runId, inputTokens: 10, outputTokens: 1 };
      yield { type: "harness_end", runId, reason: "final", iterations: 1, totalUsage: { inputTokens: 10, outputTokens: 1 } };
    },
  };
}

const js = (code: string) => `\`\`\`js\n${code}\n\`\`\``;

async function run(answers: Parameters<typeof saying>[0], call: Partial<ReplCall> = {}, options: Partial<ReplOptions> = {}) {
  const provider = saying(answers);
  const harness = replHarness({ provider, limits: { timeMs: 20_000 }, ...options });
  const events = await all(harness.invoke({ model: "local/scripted", prompt: "How many?", runId: "r", ...call }));
  return { events, prompts: provider.prompts, end: only(events, "harness_end").at(-1) };
}

describe("a recursive language model", () => {
  test("writes programs until it knows the answer", async () => {
    const { events, prompts, end } = await run(
      [js("const words = context.split(' ');\nprint(words.length)"), js("throw new Error('oh')"), js("FINAL_VAR('words')")],
      { context: "a b c" },
    );
    const own = events.filter(({ runId }) => runId === "r").map((event) => ("durationMs" in event ? { ...event, durationMs: 0 } : event));
    const code = "const words = context.split(' ');\nprint(words.length)\n";
    expect(own).toEqual([
      { type: "harness_start", runId: "r", depth: 0, maxIterations: 30, agent: "rlm", model: "local/scripted" },
      { type: "user", runId: "r", id: "r/user-0", content: "How many?" },
      { type: "repl_input", runId: "r", id: "r/repl-0", code, iteration: 0 },
      { type: "repl_progress", runId: "r", id: "r/repl-0", chunk: "3\n", stream: "stdout" },
      { type: "repl_output", runId: "r", id: "r/repl-0", stdout: "3\n", done: false, iteration: 0, durationMs: 0, truncated: false },
      { type: "repl_input", runId: "r", id: "r/repl-1", code: "throw new Error('oh')\n", iteration: 1 },
      {
        type: "repl_output",
        runId: "r",
        id: "r/repl-1",
        stdout: "",
        error: "Error: oh (line 1)",
        done: false,
        iteration: 1,
        durationMs: 0,
        truncated: false,
      },
      { type: "repl_input", runId: "r", id: "r/repl-2", code: "FINAL_VAR('words')\n", iteration: 2 },
      { type: "repl_output", runId: "r", id: "r/repl-2", stdout: "", done: true, iteration: 2, durationMs: 0, truncated: false },
      { type: "text", runId: "r", id: "r/answer", content: '["a","b","c"]' },
      { type: "harness_end", runId: "r", reason: "final", iterations: 3, totalUsage: { inputTokens: 30, outputTokens: 3 } },
    ]);
    expect(end?.reason).toBe("final");
    expect(prompts).toEqual([
      "How many?\n\n(context is a text, 5 characters.)",
      "It printed:\n3\n",
      "It printed nothing.\nIt failed: Error: oh (line 1)",
    ]);
  });

  test("asks models and its own kind from its programs; their runs name the program", async () => {
    const { events } = await run([
      js("const [a, b] = llm_query(['one', 'two']);\nprint(a + b, sub_rlm('deeper', [1, 2]))\nFINAL('done')"),
      (prompt) => prompt.toUpperCase(),
      (prompt) => prompt.toUpperCase(),
      js("try { sub_rlm('still deeper') } catch (error) { print(error.message) }\nFINAL(context.length)"),
    ]);
    expect(only(events, "repl_output").map(({ stdout }) => stdout)).toEqual(["This is the last level: use llm_query.\n", "ONETWO 2\n"]);
    const starts = only(events, "harness_start").map(({ runId, parentId, agent, depth }) => ({
      own: runId === "r",
      parentId,
      agent,
      depth,
    }));
    const sub = only(events, "harness_start").find(({ depth }) => depth === 1)?.runId;
    expect(starts).toEqual([
      { own: true, parentId: undefined, agent: "rlm", depth: 0 },
      { own: false, parentId: "r", agent: "provider", depth: undefined },
      { own: false, parentId: "r/repl-0", agent: "provider", depth: undefined },
      { own: false, parentId: "r/repl-0", agent: "provider", depth: undefined },
      { own: false, parentId: "r/repl-0", agent: "rlm", depth: 1 },
      { own: false, parentId: sub, agent: "provider", depth: undefined },
    ]);
    const graph = events.reduce(reduceEvent, createGraph());
    expect(usageOf(graph, "r").total).toEqual({ inputTokens: 40, outputTokens: 4 });
    expect(only(events, "harness_end").at(-1)?.totalUsage).toEqual({ inputTokens: 40, outputTokens: 4 });
    expect(
      only(events, "harness_end")
        .map(({ runId }) => runId)
        .sort(),
    ).toEqual(
      only(events, "harness_start")
        .map(({ runId }) => runId)
        .sort(),
    );
  });

  test("asks no more models in parallel than allowed", async () => {
    let [now, most, count] = [0, 0, 0];
    const provider: Harness<ProviderCall> = {
      async *invoke({ parentId = "", messages }) {
        const runId = `m${++count}`;
        yield { type: "harness_start", runId, parentId, agent: "provider" };
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 20));
        now--;
        const prompt = messages[0]?.content as string;
        const content = parentId === "r" ? js("FINAL(llm_query([...Array(12).keys()]).join(' '))") : `<${prompt}>`;
        yield { type: "text", runId, id: `${runId}/t`, content };
        yield { type: "harness_end", runId, reason: "final", iterations: 1, totalUsage: { inputTokens: 1, outputTokens: 1 } };
      },
    };
    const events = await all(replHarness({ provider, concurrency: 3 }).invoke({ model: "local/x", prompt: "?", runId: "r" }));
    closed(events);
    expect(most).toBe(3);
    expect(only(events, "text").at(-1)?.content).toBe("<0> <1> <2> <3> <4> <5> <6> <7> <8> <9> <10> <11>");
  });

  test("may not ask forever", async () => {
    const { events } = await run([js("for (;;) llm_query('again')"), ...Array(9).fill("yes")], { maxIterations: 1 }, { maxQueries: 3 });
    expect(only(events, "repl_output")[0]?.error).toContain("All 3 questions to models are used");
    expect(only(events, "harness_end").at(-1)).toMatchObject({ reason: "max_iterations", iterations: 1 });
  });

  test("must answer when its turns are used up", async () => {
    const { events, prompts } = await run([js("print(1)"), js("print(2)"), "It is 2."], { maxIterations: 2 });
    expect(prompts.at(-1)).toContain("no more programs will run");
    expect(only(events, "harness_end").at(-1)).toMatchObject({ reason: "max_iterations", iterations: 2 });
  });

  test("that writes no program is reminded once; its next text is the answer", async () => {
    const { prompts, end } = await run(["Let me think.", "It is 7."]);
    expect(prompts[1]).toContain("There was no program");
    expect(end).toMatchObject({ reason: "final", iterations: 2 });
    expect((await run(["FINAL(7)"])).end).toMatchObject({ reason: "final", iterations: 1 });
  });

  test("runs allowed commands, and asks if no rule matches", async () => {
    const workspace = mkdtempSync(join(tmpdir(), "harness-repl-"));
    onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
    writeFileSync(join(workspace, "here.txt"), "yes");
    const provider = saying([
      js(
        "print(exec('ls').output)\ntry { exec('rm here.txt') } catch (error) { print(error.message) }\nFINAL(exec('cat here.txt').exitCode)",
      ),
    ]);
    const harness = replHarness({ provider, limits: { timeMs: 20_000 } });
    const permissions = {
      allowlist: [{ tool: "shell", params: { command: "ls" } }],
      deny: [{ tool: "shell", params: { command: "rm *" }, reason: "never" }],
    };
    const events: HarnessEvent[] = [];
    for await (const event of harness.invoke({ model: "local/x", prompt: "?", runId: "r", workspace, permissions })) {
      events.push(event);
      if (event.type === "relay") expect(harness.resolveRelay(event.id, { decision: "allow" })).toBe(true);
    }
    expect(only(events, "repl_output")[0]).toMatchObject({
      stdout: expect.stringMatching(/here\.txt[\s\S]*exec is not permitted: never/),
      done: true,
    });
    expect(only(events, "relay").map(({ params }) => params)).toEqual([{ command: "cat here.txt" }]);
    expect(only(events, "tool_result").map(({ id, parentId }) => [id, parentId])).toEqual([
      ["r/exec-1", "r/exec-1"],
      ["r/exec-2", "r/repl-0"],
      ["r/exec-3", "r/exec-3"],
    ]);
  });

  test.each(["while (true);", "llm_query(['x', 'y'])", "sub_rlm('x')", "sub_rlm('loop')", "exec('sleep 1000')", "exec('asked')"])(
    "stops on request in any state and closes everything: %s",
    async (code) => {
      const stop = new AbortController();
      const provider: Harness<ProviderCall> = {
        async *invoke({ parentId = "", messages, signal }) {
          const runId = `m${Math.random()}`;
          yield { type: "harness_start", runId, parentId, agent: "provider" };
          const isLoop = JSON.stringify(messages[0]).includes("loop");
          const program = parentId === "r" ? code : isLoop ? "while (true);" : undefined;
          if (program !== undefined) yield { type: "text", runId, id: `${runId}/t`, content: js(program) };
          else await new Promise((resolve) => signal?.addEventListener("abort", () => setTimeout(resolve, 200)));
          const reason = signal?.aborted ? "error" : "final";
          yield { type: "harness_end", runId, reason, iterations: 1, totalUsage: { inputTokens: null, outputTokens: null } };
        },
      };
      const workspace = mkdtempSync(join(tmpdir(), "harness-repl-"));
      onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
      const permissions = { allowlist: [{ tool: "shell", params: { command: "sleep *" } }] };
      const call = { model: "local/x", prompt: "?", runId: "r", signal: stop.signal, workspace, permissions };
      const events: HarnessEvent[] = [];
      for await (const event of replHarness({ provider, limits: { timeMs: 60_000 } }).invoke(call)) {
        events.push(event);
        if (event.type === "repl_input" && event.runId === "r") setTimeout(() => stop.abort(), 1000);
      }
      closed(events);
      expect(events.at(-1)).toMatchObject({ type: "harness_end", runId: "r", reason: "error" });
      expect(only(events, "repl_output").at(-1)).toMatchObject({ runId: "r", error: "Canceled." });
    },
  );
});
