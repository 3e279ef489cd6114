import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { derive } from "../../../../src/host/recording/derive/derive.ts";
import { jsonLine } from "../../../../src/host/recording/own/json-line.ts";
import { jsonPath, textAt } from "../../../../src/host/recording/own/json-path.ts";
import { loadAgent } from "../../../../src/host/recording/own/load-agent.ts";
import { cleanUp, file, schema, sentence } from "./support.ts";

afterAll(cleanUp);

const ROOT = join(import.meta.dirname, "../../../..");

async function agentOf(changes: Readonly<Record<string, unknown>> = {}) {
  return loadAgent(file("schema.json", JSON.stringify(schema(changes), null, 2)));
}

async function bodies(changes: Readonly<Record<string, unknown>>, ...lines: readonly unknown[]): Promise<Record<string, unknown>[]> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const out: Record<string, unknown>[] = [];
  for await (const record of derive(Buffer.from(text), { agent: await agentOf(changes), view: "log" })) {
    const { seq: _1, at: _2, from: _3, provenance: _4, ...rest } = record;
    const { call: _5, ...body }: Record<string, unknown> = rest;
    out.push(body);
  }
  return out.slice(1, -1);
}

const KIND = (value: string, emitAs: string, extract: object, path = "$.message.content[*]") => ({
  match: { path, value },
  emitAs,
  extract,
});

describe("its command line", () => {
  const task = { prompt: "Do it.", cwd: "/w", permissions: "default" } as const;

  test.each<[object, readonly string[], string | undefined]>([
    [{}, ["exec", "-o", "stream-json", "-p", "Do it."], undefined],
    [{ prompt: { flag: "" } }, ["exec", "-o", "stream-json", "Do it."], undefined],
    [{ prompt: { stdin: true }, command: ["codex", "exec", "-"] }, ["exec", "-", "-o", "stream-json"], "Do it.\n"],
    [{ output: { flag: "", value: "" } }, ["exec", "-p", "Do it."], undefined],
    [
      { autoApprove: ["--auto", "high"], cwdFlag: "--cwd", resume: { flag: "-s", sessionIdPath: "$.session_id" } },
      ["exec", "-o", "stream-json", "--auto", "high", "--cwd", "/w", "-p", "Do it."],
      undefined,
    ],
  ])("%j", async (changes, args, stdin) => {
    const command = (await agentOf(changes as Record<string, unknown>)).command(task);
    expect({ args: command.args, stdin: command.stdin, ignored: command.ignored }).toEqual({ args, stdin, ignored: [] });
  });

  test("resumes an earlier session with the declared flag; an iterative program cannot", async () => {
    const resume = { flag: "-s", sessionIdPath: "$.session_id" };
    const stream = (await agentOf({ resume })).command({ ...task, resume: "s-1" });
    expect(stream).toMatchObject({ args: ["exec", "-o", "stream-json", "-s", "s-1", "-p", "Do it."], resumes: true });
    expect((await agentOf({ resume, sessionMode: "iterative" })).command({ ...task, resume: "s-1" }).resumes).toBeUndefined();
    expect((await agentOf()).command({ ...task, resume: "s-1" }).resumes).toBeUndefined();
  });

  test("reports unsupported options, and rejects the opposite of what was asked for", async () => {
    const plain = await agentOf();
    expect(plain.command({ ...task, model: "x", permissions: "full" }).ignored).toEqual(["model", "permissions"]);
    expect(plain.command({ ...task, permissions: "read-only" }).ignored).toEqual(["permissions"]);
    const approving = await agentOf({ autoApprove: ["--yolo"], timeout: 90_000 });
    expect(approving.command({ ...task, permissions: "full" }).ignored).toEqual([]);
    expect(approving.timeoutMs).toBe(90_000);
    expect(await sentence(() => approving.command({ ...task, permissions: "read-only" }))).toContain("cannot be run read-only");
    expect(await sentence(() => plain.command({ ...task, prompt: "--yolo" }))).toContain("The prompt starts with a dash");
  });

  test.each([
    ["claude", "claude-schema"],
    ["My Agent / 2", "my-agent-2"],
    ["../../etc", "etc"],
    ["\u001b[2J", "2j"],
    ["日本", "schema"],
  ])("%j gets the id %s", async (name, id) => {
    const agent = await agentOf({ name });
    expect(agent.id).toBe(id);
    expect(agent.title).not.toMatch(/\p{Cc}/u);
  });
});

describe("what its lines mean", () => {
  test("messages, thoughts, calls with and without ids, plans, the result", async () => {
    const out = await bodies(
      {},
      { type: "message", content: "Hello.", session_id: "s1" },
      { type: "thinking", text: "Hm." },
      { type: "tool_use", name: "read", id: "t1", input: { path: "a" } },
      { type: "tool_use", name: "read" },
      { type: "tool_result", name: "read", status: "error" },
      { type: "tool_result", tool_use_id: "t1", status: "success" },
      { type: "tool_result", name: "late", status: "done" },
      { type: "todo", items: [{ content: "one", status: "completed" }, "two", 5] },
      { type: "usage" },
      { type: "result", content: "Done." },
    );
    expect(out).toEqual([
      { type: "session", sessionId: "s1" },
      { type: "message", role: "assistant", text: "Hello." },
      { type: "reasoning", text: "Hm." },
      { type: "tool-start", callId: "t1", tool: "read", input: { path: "a" }, operations: [], request: expect.anything() },
      { type: "tool-start", callId: "call-1", tool: "read", input: null, operations: [], request: expect.anything() },
      { type: "tool-end", callId: "t1", success: false },
      { type: "tool-end", callId: "call-1", success: true },
      { type: "tool-start", callId: "call-2", tool: "late", input: null, operations: [], request: { title: "late", status: "done" } },
      { type: "tool-end", callId: "call-2", success: true },
      {
        type: "plan",
        items: [
          { text: "one", status: "completed" },
          { text: "two", status: "unknown" },
        ],
      },
      { type: "unknown", raw: { type: "usage" } },
      { type: "result", outcome: "completed", reason: "result", text: "Done." },
    ]);
  });

  test("each item of an array belongs to the first rule that matches, in order; other items are unknown", async () => {
    const outputEvents = [
      KIND("tool_use", "tool_call", { title: "$.name", status: "'pending'" }),
      KIND("text", "message", { content: "$.text" }, "$.message.content[*].type"),
      KIND("assistant", "message", { content: "$.message.content[*].text" }, "$.type"),
    ];
    const content = [{ type: "text", text: "a" }, { type: "tool_use", name: "x", id: "1" }, { type: "image" }];
    const out = await bodies({ outputEvents }, { type: "assistant", message: { content } });
    expect(out.map(({ type, raw }) => raw ?? type)).toEqual(["message", "tool-start", { type: "image" }, "tool-end"]);
    const [whole] = await bodies(
      { outputEvents: outputEvents.slice(2) },
      { type: "assistant", message: { content: [{ text: "a" }, { text: "b" }] } },
    );
    expect(whole).toEqual({ type: "message", role: "assistant", text: "ab" });
  });

  test("pass-through", async () => {
    const out = await bodies(
      {
        outputMode: "passthrough",
        outputEvents: undefined,
        passthroughTypeMap: { typeField: "kind", typeValues: { says: "message", act: "tool_call" } },
      },
      { kind: "says", content: "a" },
      { kind: "act", name: "x", status: "completed" },
      { kind: "thought", content: "t" },
      { kind: "constructor" },
    );
    expect(out.map(({ type }) => type)).toEqual(["message", "tool-start", "tool-end", "reasoning", "unknown"]);
  });

  test.each([
    [{ is_error: true }, "failed"],
    [{ status: "error" }, "failed"],
    [{ error: { message: "x" } }, "failed"],
    [{ subtype: "error_max_turns" }, "failed"],
    [{ status: "success", error: null }, "completed"],
    [{ is_error: false }, "completed"],
  ])("a result with %j is %s", async (more, outcome) => {
    expect((await bodies({}, { type: "result", ...more })).find(({ type }) => type === "result")).toMatchObject({ outcome });
  });

  test("a fixed status says that a call ended, but not how", async () => {
    const outputEvents = [KIND("r", "tool_call", { title: "$.name", status: "'completed'" }, "$.type")];
    expect((await bodies({ outputEvents }, { type: "r", name: "x" })).at(-1)).toEqual({ type: "tool-end", callId: "call-1" });
    expect((await bodies({ outputEvents }, { type: "r", name: "x", is_error: true })).at(-1)).toMatchObject({ success: false });
  });

  test("a stream without a result is never a success", async () => {
    for await (const { status } of derive(Buffer.from('{"type":"message","content":"a"}\n'), {
      agent: await agentOf(),
      view: "result",
      exitCode: 0,
    }))
      expect(status).toBe("failed");
  });
});

describe("against recordings of the real programs", () => {
  async function both(fixture: string, changes: Readonly<Record<string, unknown>>, own: string) {
    const raw = join(ROOT, "fixtures", fixture, "raw.jsonl");
    const result = async (agent: Parameters<typeof derive>[1]) => {
      for await (const found of derive(raw, { ...agent, view: "result", exitCode: 0 })) return found;
      throw new Error("no result");
    };
    return { ours: await result({ agent: own }), read: await result({ agent: await agentOf(changes) }) };
  }

  test("Claude Code", async () => {
    const { ours, read } = await both(
      "claude/full",
      {
        resume: { flag: "--resume", sessionIdPath: "$.session_id" },
        outputEvents: [
          KIND("tool_use", "tool_call", { title: "$.name", status: "'pending'" }),
          KIND("tool_result", "tool_call", { status: "'completed'", content: "$.content" }),
          KIND("text", "message", { content: "$.text" }),
          KIND("thinking", "thought", { content: "$.thinking" }),
        ],
        result: { matchPath: "$.type", matchValue: "result", contentPath: "$.result" },
      },
      "claude",
    );
    for (const key of ["status", "output", "sessionId", "toolCalls"] as const) expect(read[key], key).toBe(ours[key]);
  });

  test("Gemini CLI: the pieces of a message are joined, the prompt is the user's", async () => {
    const { ours, read } = await both(
      "gemini/full",
      {
        sessionMode: "iterative",
        historyTemplate: "User: {{input}}\nAssistant: {{output}}",
        resume: { flag: "--resume", sessionIdPath: "$.session_id" },
        outputEvents: [
          KIND("message", "message", { content: "$.content" }, "$.type"),
          KIND("tool_use", "tool_call", { title: "$.tool_name", status: "'pending'" }, "$.type"),
          KIND("tool_result", "tool_call", { status: "$.status", content: "$.output" }, "$.type"),
        ],
      },
      "gemini",
    );
    for (const key of ["status", "output", "sessionId", "toolCalls", "unknown"] as const) expect(read[key], key).toBe(ours[key]);
  });

  test("a schema that reads only the first text: the rest is unknown, nothing throws", async () => {
    const changes = {
      outputEvents: [KIND("assistant", "message", { content: "$.message.content[0].text" }, "$.type")],
      result: { matchPath: "$.type", matchValue: "result", contentPath: "$.result" },
    };
    const lines = readFileSync(join(ROOT, "fixtures/claude/full/raw.jsonl"), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const out = await bodies(changes, ...lines);
    expect(out.length).toBeGreaterThanOrEqual(lines.length);
    expect(out.at(-1)).toMatchObject({ type: "result", outcome: "completed" });
  });
});

describe("each mistake gives one sentence with its line", () => {
  const wrong: readonly [changes: Readonly<Record<string, unknown>>, says: RegExp][] = [
    [{ version: 2 }, /:2: version must be 1.*; write "version": 1\.$/],
    [{ command: [] }, /: command is wrong: .+; write the program and its first arguments/],
    [{ command: undefined }, /: command is missing; write the program/],
    [{ command: ["a\0b"] }, /: command\[0\] must not contain a NUL\.$/],
    [{ sessionMode: "batch" }, /: sessionMode must be one of "stream", "iterative"; write "stream"/],
    [{ prompt: { flag: "-p", stdin: true } }, /: prompt has both a flag and stdin; choose one; write/],
    [{ prompt: "-p" }, /: prompt must be object, not string; write/],
    [{ outputEvents: [{ match: { path: "type", value: "x" }, emitAs: "message" }] }, /: outputEvents\[0\]\.match\.path must begin with \$/],
    [
      { outputEvents: [{ match: { path: "$..type", value: "x" }, emitAs: "message" }] },
      /: outputEvents\[0\]\.match\.path is not valid from "\.\.type"/,
    ],
    [{ outputEvents: [{ match: { path: "$[?(@.a)]", value: "x" }, emitAs: "message" }] }, /match\.path is not valid from/],
    [{ outputEvents: [{ match: { path: "$.a", value: "x" }, emitAs: "shout" }] }, /: outputEvents\[0\]\.emitAs must be one of/],
    [
      { outputEvents: [{ match: { path: `$${".a".repeat(300)}`, value: "x" }, emitAs: "plan" }] },
      /match\.path is longer than 512 characters\.$/,
    ],
    [{ outputEvents: [{ match: { path: `$${".a".repeat(17)}`, value: "x" }, emitAs: "plan" }] }, /match\.path has more than 16 steps\.$/],
    [{ outputEvents: [{ match: { path: "$.a[*][*]", value: "x" }, emitAs: "plan" }] }, /match\.path has more than one \[\*\]\.$/],
    [{ outputEvents: Array(300).fill({}) }, /: outputEvents/],
    [{ result: undefined, name: 5 }, /: name must be string, not number.* \(1 more\)$/],
  ];
  test.each(wrong)("%j", async (changes, says) => expect(await sentence(() => agentOf(changes))).toMatch(says));

  test.each([
    ['{\n  "version": 1,\n  oops\n}', /:3: Not valid JSON. A schema is one JSON object\.$/],
    ["[]", /:1: Not a JSON object/],
    ["", /:1: Not valid JSON/],
    [`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, /:1: Nested too deeply for a schema\.$/],
  ])("%j", async (text, says) => expect(await sentence(() => loadAgent(file("schema.json", text)))).toMatch(says));

  test("finds the line of a value, whatever is before it", () => {
    const text = '{\n "a": "}\\"]{",\n "b": [1, {"c": [true,\n null]},\n  "x"], "b2": -1.5e3,\n "d": {"e": 5}\n}';
    expect([["a"], ["b"], ["b", 1, "c", 1], ["b", 2], ["b2"], ["d", "e"], ["d", "no"], []].map((path) => jsonLine(text, path))).toEqual([
      2, 3, 4, 5, 5, 6, 6, 1,
    ]);
  });
});

describe("hostile paths", () => {
  test.each(["$.__proto__.x", "$['__proto__'].polluted", "$.constructor.name", "$.toString", "$.a.__proto__", "$.length"])(
    "%s finds nothing",
    (text) => {
      const path = jsonPath(text);
      expect(typeof path).toBe("object");
      if (typeof path === "object")
        for (const value of [{}, { a: {} }, { a: [] }, [], "x", null]) expect(textAt(value, path)).toBeUndefined();
    },
  );

  test("finds own properties of a line, whatever their names", () => {
    const path = jsonPath("$['__proto__'].x");
    if (typeof path === "object") expect(textAt(JSON.parse('{"__proto__":{"x":"own"}}'), path)).toBe("own");
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  test("a wide line is cheap with any number of rules; a wider one is skipped", async () => {
    const outputEvents = Array(256).fill({ match: { path: "$.a[*].b.c.d.e.f.g", value: "x" }, emitAs: "message" });
    const item = { b: { c: { d: { e: { f: { g: "y" } } } } } };
    const started = performance.now();
    for (const width of [10_000, 10_001]) {
      const out = await bodies({ outputEvents }, { a: Array(width).fill(item) });
      expect(out.map(({ type }) => type)).toEqual(["unknown"]);
    }
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  test("reading a path takes linear time", () => {
    const started = performance.now();
    for (const text of [`$${"[".repeat(511)}`, `$${".".repeat(511)}`, `$['${"a".repeat(500)}`, `'${"'".repeat(500)}`]) jsonPath(text);
    expect(performance.now() - started).toBeLessThan(500);
  });
});
