import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { derive } from "../../../src/host/recording/derive/derive.ts";
import { run } from "../../../src/host/recording/write/run.ts";
import type { RunOptions } from "../../../src/host/recording/write/run-options.ts";
import type { HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import { closed, folder, only, refusing, scripted, textOf } from "./support.ts";

const LONG = { timeout: 60_000 };

/** Runs our own agent on a scenario, as `harness run --agent native` starts it. */
async function place(scenario: string) {
  const server = await scripted(scenario);
  const [cwd, dataDirectory] = [folder(), folder()];
  const env = {
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: "sk-canary-1234567890",
    OPENAI_BASE_URL: server.url,
    OPENAI_API_KEY: "sk-canary-0987654321",
  };
  const start = async (options: Partial<RunOptions> = {}, begun: (directory: string) => void = () => {}) => {
    let directory = "";
    const events: HarnessEvent[] = [];
    const call = {
      agent: "native",
      prompt: "Go.",
      model: "anthropic/scripted",
      cwd,
      dataDirectory,
      env,
      permissions: "full" as const,
      ...options,
    };
    const onStart = (live: { directory: string }) => {
      directory = live.directory;
      begun(directory);
    };
    for await (const event of run({ ...call, view: "conversation", onStart })) events.push(event);
    return { directory, events, id: directory.split("/").at(-1) ?? "" };
  };
  return { start, server, cwd, dataDirectory };
}

const SCENARIO = `
watch: [first answer, SECOND, continued from here]
turns:
  - { text: The first answer., tools: [{ write: { path: a, content: one } }, { run: echo two }] }
  - { text: Done. }
  - { text: More. }`;

describe("a recorded run of our agent", () => {
  test("is recorded like any other, and the conversation view reproduces its output", LONG, async () => {
    const { start, cwd } = await place(SCENARIO);
    const { directory, events } = await start();
    closed(events);
    expect(readFileSync(join(cwd, "a"), "utf8")).toBe("one");
    const raw = readFileSync(join(directory, "raw.jsonl"), "utf8");
    const [session, ...lines] = raw.trim().split("\n");
    expect(JSON.parse(session ?? "")).toMatchObject({
      type: "harness_session",
      model: "anthropic/scripted",
      cwd,
      tools: expect.arrayContaining(["task"]),
    });
    expect(events).toEqual(lines.map((line) => JSON.parse(line)));
    expect(raw).not.toContain("sk-canary");
    const manifest = JSON.parse(readFileSync(join(directory, "run.json"), "utf8"));
    expect(manifest.sealed).toMatchObject({
      status: "completed",
      toolCalls: 2,
      usage: { input: 200, output: 20 },
      sessionId: events[0]?.runId,
    });
    for (const view of ["activity", "stream", "result", "conversation"] as const) for await (const _ of derive(directory, { view })) void _;
  });

  test("S2: a secret that the model says in pieces is masked in each", LONG, async () => {
    const { start } = await place('turns: [{ text: "It is sk-canary-1234567890, or not.", chunk: { size: 5 } }]');
    const { directory, events } = await start();
    expect(textOf(events)).toMatch(/^It is \*{20}, or not\.$/);
    const again: HarnessEvent[] = [];
    for await (const event of derive(directory, { view: "conversation" })) again.push(event as HarnessEvent);
    expect(again).toEqual(events);
    for (const name of ["raw.jsonl", "events.jsonl"]) expect(readFileSync(join(directory, name), "utf8")).not.toMatch(/sk-c|canary|12345/);
  });

  test("reports unusable settings before it starts", LONG, async () => {
    const { start, dataDirectory } = await place(SCENARIO);
    await expect(start({ model: undefined })).rejects.toThrow("No model given");
    await expect(start({ model: "gpt" })).rejects.toThrow('Unknown model "gpt"');
    await expect(start({ model: "google/x", environment: { PATH: process.env["PATH"] } })).rejects.toThrow("No API key for google");
    await expect(start({ resumeAt: "x" })).rejects.toThrow("`resumeAt` works only with");
    expect(readdirSync(dataDirectory)).toEqual([]);
  });

  test("the length of an answer can be limited", LONG, async () => {
    const { url, bodies } = await refusing<{ max_tokens?: number }>();
    const { start } = await place(SCENARIO);
    const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "sk-canary-1234567890" };
    for (const agent of ["native", "rlm"])
      await start({ agent, model: "anthropic/glm-9", env, extraArgs: ["--max-output-tokens", "32000"] });
    expect(bodies.map(({ max_tokens }) => max_tokens)).toEqual([32_000, 32_000]);
    const { directory } = await start({ env, extraArgs: ["--max-output-tokens", "many"] });
    expect(readFileSync(join(directory, "stderr.log"), "utf8")).toBe("harness: --max-output-tokens takes a whole number, as in 32000.\n");
  });

  test("canceling closes all its runs", LONG, async () => {
    const stop = new AbortController();
    const events: HarnessEvent[] = [];
    const { start } = await place("turns: [{ text: It takes long., tools: [{ run: echo begun; sleep 1000 }] }]");
    let directory = "";
    const running = start({ signal: stop.signal }, (begun) => {
      directory = begun;
    }).catch((error: unknown) => error);
    await expect.poll(() => directory, { timeout: 30_000 }).not.toBe("");
    await expect.poll(() => readFileSync(join(directory, "raw.jsonl"), "utf8").includes("tool_progress"), { timeout: 30_000 }).toBe(true);
    stop.abort();
    await running;
    for await (const event of derive(directory, { view: "conversation" })) events.push(event as HarnessEvent);
    closed(events);
    expect(JSON.parse(readFileSync(join(directory, "run.json"), "utf8")).sealed.status).toBe("canceled");
  });
});

describe("continuing a recorded conversation", () => {
  test("from its end, with a different model, as a run that names its parent", LONG, async () => {
    const { start, server } = await place(SCENARIO);
    const first = await start();
    const second = await start({ agent: undefined, resume: first.id, prompt: "SECOND question", model: "openai/scripted" });
    closed(
      second.events.map((event) => (event.parentId === second.events[0]?.parentId ? { ...event, parentId: undefined as never } : event)),
    );
    expect(second.events[0]).toMatchObject({ type: "harness_start", parentId: `${first.events[0]?.runId}:end`, model: "openai/scripted" });
    expect(server.ledger.at(-1)).toMatchObject({ dialect: "openai-responses", turn: 2, seen: ["first answer", "SECOND"] });
    expect(textOf(second.events)).toBe("More.");
    expect(only(second.events, "user").map(({ content }) => content)).toEqual(["SECOND question"]);
    expect(JSON.parse(readFileSync(join(second.directory, "run.json"), "utf8"))).toMatchObject({ resumes: first.id });
    const third = await start({ agent: undefined, resume: second.id, prompt: "Third." });
    expect(textOf(third.events)).toMatch(/no turn 4/);
  });

  test("from a call in the middle: unanswered calls are marked as such", LONG, async () => {
    const { start, server } = await place(SCENARIO);
    const first = await start();
    const [call] = only(first.events, "tool_call");
    const second = await start({ agent: undefined, resume: first.id, resumeAt: call?.id ?? "", prompt: "SECOND question" });
    expect(second.events[0]).toMatchObject({ parentId: call?.id });
    expect(server.ledger.at(-1)).toMatchObject({ turn: 1, seen: ["first answer", "SECOND", "continued from here"] });
    expect(textOf(second.events)).toBe("Done.");
  });

  test("from an unknown node: rejected, and nothing starts", LONG, async () => {
    const { start, dataDirectory } = await place(SCENARIO);
    const first = await start();
    const runs = () => readdirSync(join(dataDirectory, "runs"));
    const before = runs();
    await expect(start({ agent: undefined, resume: first.id, resumeAt: "nothing", prompt: "Continue." })).rejects.toThrow(
      `The graph of the run ${first.id} has no node "nothing".`,
    );
    expect(runs()).toEqual(before);
  });
});
