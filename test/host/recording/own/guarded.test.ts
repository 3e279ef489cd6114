import { describe, expect, test } from "vitest";
import { derive } from "../../../../src/host/recording/derive/derive.ts";
import type { EventBody } from "../../../../src/pure/events/event.ts";
import { type Agent, consumed, type LineTranslator, type RunContext } from "../../../../src/pure/pipeline/agent.ts";
import { views } from "../../../../src/pure/views/views.ts";

/** A user-defined agent may throw or return nonsense: nothing is lost, nothing throws, and one warning says so. */

function agentWith(translator: (run: RunContext) => unknown, more: Partial<Agent> = {}): Agent {
  const open = translator as (run: RunContext) => LineTranslator;
  return { id: "stranger", title: "Stranger", binaries: [], command: () => ({ args: [] }), open, ...more };
}

const LINES = '{"n":1}\n{"n":2}\nplain\n{"n":3}\n';

async function bodies(agent: Agent, lines = LINES): Promise<Record<string, unknown>[]> {
  const out: Record<string, unknown>[] = [];
  for await (const record of derive(Buffer.from(lines), { agent, view: "log", stderr: Buffer.from("noise\n") })) out.push({ ...record });
  for (const view of Object.values(views)) {
    for await (const record of derive(Buffer.from(lines), { agent, view })) JSON.stringify(record);
  }
  return out;
}

async function outcome(agent: Agent, lines?: string): Promise<{ unknown: unknown[]; warnings: string[] }> {
  const all = await bodies(agent, lines);
  return {
    unknown: all.filter(({ type }) => type === "unknown").map(({ raw }) => raw),
    warnings: all.filter(({ code }) => code === "agent-failed").map(({ message }) => String(message)),
  };
}

const ALL = [{ n: 1 }, { n: 2 }, "plain", { n: 3 }];
const circle: Record<string, unknown> = { type: "message", role: "assistant", text: "x" };
circle["raw"] = circle;
const proxy = new Proxy(
  {},
  {
    get() {
      throw new Error("no trap is safe");
    },
    ownKeys() {
      throw new Error("no trap is safe");
    },
  },
);

describe("mistakes of a translator", () => {
  const answers: readonly [what: string, answer: () => unknown][] = [
    ["throws", () => JSON.parse("{")],
    [
      "throws a value that cannot be shown",
      () => {
        throw { toString: () => JSON.parse("{") };
      },
    ],
    ["gives nothing", () => undefined],
    ["gives a word", () => "message"],
    ["gives an object", () => ({ type: "message" })],
    ["gives a promise", () => Promise.resolve([])],
    ["returns null in a list", () => [null]],
    ["returns an unknown type", () => [{ type: "speech" }]],
    ["returns a type from the prototype", () => [{ type: "constructor" }]],
    ["returns the run's own end", () => [{ type: "run-end", status: "completed" }]],
    ["returns a text that is a number", () => [{ type: "message", role: "assistant", text: 5 }]],
    ["returns an unknown role", () => [{ type: "message", role: "robot", text: "x" }]],
    ["returns a call without an id", () => [{ type: "tool-start", tool: "x", operations: [] }]],
    ["returns an invalid operation", () => [{ type: "tool-start", callId: "1", tool: "x", operations: [{ kind: "__proto__" }] }]],
    ["returns invalid endings", () => [{ type: "tool-end", callId: "1", endings: [5] }]],
    ["returns an invalid place", () => [{ type: "message", role: "assistant", text: "x", from: [{ record: -1 }] }]],
    ["gives a circle", () => [circle]],
    ["gives a BigInt", () => [{ type: "message", role: "assistant", text: "x", raw: 1n }]],
    ["gives a proxy", () => [proxy]],
    [
      "returns a getter that throws",
      () => [
        {
          type: "message",
          get text() {
            throw new Error("no");
          },
        },
      ],
    ],
    ["returns one good and one bad event", () => [{ type: "message", role: "assistant", text: "x" }, 5]],
  ];

  test.each(answers)("%s", async (_, answer) => {
    const { unknown, warnings } = await outcome(agentWith(() => ({ push: answer, end: () => [] })));
    expect(unknown).toEqual(ALL);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^The agent "stranger" is not reliable: .+\. Lines it cannot read become unknown\.$/);
  });

  test.each<[string, Agent]>([
    ["open throws", agentWith(() => JSON.parse("{"))],
    ["open gives nothing", agentWith(() => undefined)],
    ["there is no push", agentWith(() => ({ end: () => [] }))],
    ["end throws", agentWith(() => ({ push: () => [{ type: "unknown", raw: 1 }], end: () => JSON.parse("{") }))],
    ["text throws", agentWith(() => ({ push: () => [], end: () => [] }), { text: () => JSON.parse("{") })],
    ["text gives rubbish", agentWith(() => ({ push: () => [], end: () => [] }), { text: () => ({ type: "noise" }) as never })],
    ["the translator's text throws", agentWith(() => ({ push: () => [], text: () => JSON.parse("{"), end: () => [] }))],
  ])("%s", async (_, agent) => {
    const { unknown, warnings } = await outcome(agent);
    expect(unknown).toHaveLength(4);
    expect(warnings.length).toBeLessThanOrEqual(1);
  });

  test("it cannot change the stored line or the log's context", async () => {
    const agent = agentWith((run) => {
      Object.freeze(run);
      return {
        push(line: Record<string, unknown>) {
          line["n"] = line;
          throw new Error("after the damage");
        },
        end: () => [],
      };
    });
    expect((await outcome(agent)).unknown).toEqual(ALL);
  });
});

test("valid answers pass: null and consumed drop a line, null fields are left out, tokens are filled in", async () => {
  const answers: unknown[] = [
    null,
    consumed,
    Object.freeze(Object.defineProperty([], Symbol.for("harness.consumed"), { value: true })),
    [{ type: "usage", scope: "total", tokens: { input: 5 }, costUsd: null }],
    [{ type: "tool-start", callId: "1", tool: "x", input: null }],
    [{ type: "unknown", raw: null }],
  ];
  const lines = answers.map((_, i) => `{"n":${i}}\n`).join("");
  const agent = agentWith(() => ({ push: (line: { n: number }) => answers[line.n] as EventBody[], end: () => [] }));
  const out = await bodies(agent, lines);
  expect(out.map(({ type }) => type)).toEqual(["run-start", "usage", "tool-start", "unknown", "warning", "tool-end", "run-end"]);
  expect(out[1]).toMatchObject({ tokens: { input: 5, cacheRead: null, cacheWrite: null, output: null, reasoning: null } });
  expect(out[1]).not.toHaveProperty("costUsd");
  expect(out[4]).toMatchObject({ message: "noise" });
});

test("an empty answer counts as a mistake, also from a user-defined agent", async () => {
  const { unknown, warnings } = await outcome(agentWith(() => ({ push: () => [], end: () => [] })));
  expect({ unknown, warnings }).toEqual({ unknown: ALL, warnings: [] });
});
