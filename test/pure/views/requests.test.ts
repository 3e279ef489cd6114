import { expect, test } from "vitest";
import type { BodyOf, Event, EventBody } from "../../../src/pure/events/index.ts";
import { requests } from "../../../src/pure/views/requests/index.ts";

const TOKENS = { input: 10, cacheRead: 30, cacheWrite: null, output: 5, reasoning: 2 };

function request(part: Partial<BodyOf<"model-request">>): BodyOf<"model-request"> {
  return {
    type: "model-request",
    request: 1,
    dialect: "openai-chat",
    model: "m",
    thread: 1,
    retries: null,
    status: 200,
    stream: true,
    tokens: TOKENS,
    finish: "stop",
    messages: 2,
    tools: 4,
    up: 100,
    down: 50,
    startedAt: 0,
    firstMs: 20,
    durationMs: 30,
    retryAfterMs: null,
    limits: [],
    head: "0",
    ...part,
  };
}

function derived(...bodies: readonly EventBody[]): readonly object[] {
  const view = requests.open();
  const events = bodies.map((body, i) => ({ seq: i + 1, at: i, body }) as unknown as Event);
  return [...events.flatMap((event) => view.push(event)), ...view.end()];
}

const usage = (part: Partial<BodyOf<"usage">>): EventBody => ({
  type: "usage",
  scope: "total",
  tokens: { ...TOKENS },
  covers: "run",
  ...part,
});

test("a run without requests has no records", () => {
  expect(derived(usage({}))).toEqual([]);
});

test("each request has its context and its share of the cache, and the sum counts failures, repetitions and threads", () => {
  const none = { tokens: null, finish: null };
  const shown = derived(
    request({ request: 1, status: 429, retryAfterMs: 2000, ...none }),
    request({ request: 2, retries: 1 }),
    request({ request: 3, thread: 2, problem: "the answer broke off", ...none }),
    request({ request: 4, dialect: null, thread: null, ...none }),
    usage({}),
  );
  expect(shown[1]).toMatchObject({ type: "request", request: 2, startedAt: "1970-01-01T00:00:00.000Z", context: 40, cached: 0.75 });
  expect(shown[0]).toMatchObject({ context: null, cached: null, retryAfterMs: 2000 });
  expect(shown.at(-1)).toEqual({
    type: "total",
    requests: 3,
    failed: 2,
    repeated: 1,
    threads: 2,
    tokens: TOKENS,
    reported: TOKENS,
    differing: [],
  });
});

test("the sum names the classes that the agent reports differently", () => {
  const total = (...bodies: readonly EventBody[]) => derived(request({}), ...bodies).at(-1);
  expect(total(usage({ tokens: { ...TOKENS, output: 6 } }))).toMatchObject({ differing: ["output"] });
  expect(total(usage({ tokens: { ...TOKENS, output: 7, reasoning: null } }))).toMatchObject({ differing: [] }); // reasoning is in the output
  expect(total()).toMatchObject({ differing: null });
  expect(total(usage({ covers: "last-step" }))).toMatchObject({ differing: null });
});
