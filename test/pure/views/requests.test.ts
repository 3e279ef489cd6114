import { expect, test } from "vitest";
import { type BodyOf, type Event, type EventBody, noTokens } from "../../../src/pure/events/index.ts";
import { requests } from "../../../src/pure/views/requests/index.ts";
import { strictFlaw } from "../../support/strict-flaw.ts";

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

const END: EventBody = { type: "run-end", status: "completed", reason: "", exitCode: 0, signal: null, durationMs: 1 };

function derived(...bodies: readonly EventBody[]): readonly object[] {
  const view = requests.open();
  const events = [...bodies, END].map((body, i) => ({ seq: i + 1, at: i, body }) as unknown as Event);
  return [...events.flatMap((event) => view.push(event)), ...view.end()];
}

const usage = (part: Partial<BodyOf<"usage">>): EventBody => ({
  type: "usage",
  scope: "total",
  tokens: { ...TOKENS },
  covers: "run",
  ...part,
});

test("without a recorded request the sum is unknown, not zero, and has what the agent reported", () => {
  const unknown = { requests: null, failed: null, repeated: null, threads: null, tokens: noTokens, differing: null };
  expect(derived(usage({}))).toEqual([{ type: "total", ...unknown, reported: TOKENS }]);
  expect(derived()).toEqual([{ type: "total", ...unknown, reported: noTokens }]);
});

test("requests that asked for no turn are recorded: the sum is zero", () => {
  const shown = derived(request({ dialect: null, thread: null, tokens: null, finish: null }));
  expect(shown.at(-1)).toMatchObject({ type: "total", requests: 0, failed: 0, repeated: 0, threads: 0 });
});

test("both kinds of record match the schema", () => {
  const shown = [...derived(request({}), usage({})), ...derived()];
  expect(shown.map((record) => strictFlaw("requests", record))).toEqual([undefined, undefined, undefined]);
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
