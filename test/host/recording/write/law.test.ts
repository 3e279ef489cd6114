import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { derive, findView } from "../../../../src/host/recording/derive/derive.ts";
import { deriveRun } from "../../../../src/host/recording/derive/derive-run.ts";
import { run } from "../../../../src/host/recording/write/run.ts";
import { findAgent } from "../../../../src/pure/agents/find-agent.ts";
import { type ViewId, views } from "../../../../src/pure/views/views.ts";
import { everyView, type Printed } from "../../../support/every-view.ts";
import { expectSame } from "../../../support/expect-same.ts";
import { type Fixture, loadFixtures } from "../../../support/fixtures.ts";
import { sample, shareOf } from "../../../support/full.ts";
import {
  agent,
  cleanUp,
  command,
  expectWhole,
  inParallel,
  LONG_MS,
  type Place,
  place,
  type Recorded,
  type Where,
} from "../../../support/place.ts";

afterAll(cleanUp);

/**
 * The law, over live runs: the live output, what a follower in another process saw, what is derived later, what a replay shows, and what is
 * stored are the same bytes.
 */
async function expectTheLaw(where: Place, args: readonly string[], view: ViewId, more: Where = {}): Promise<Recorded> {
  const live = await where.harness(["run", "--prompt", "Go.", ...args, "--view", view, "--json"], more);
  const recording = where.recording();
  const { id, directory, stream } = recording;
  expectWhole(stream);
  expect(await rederived(recording, view)).toBe(live.stdout);
  expect(await rederived(recording, "stream")).toBe(readFileSync(join(where.sessions, `${id}.ndjson`), "utf8"));
  expect(await rederived(recording, "activity")).toBe(readFileSync(join(directory, "events.jsonl"), "utf8"));
  return recording;
}

/** The same with the commands that people use. */
async function expectCommandsToAgree({ harness }: Place, recording: Recorded, view: ViewId): Promise<void> {
  const text = await rederived(recording, view);
  const [derived, replayed] = await Promise.all([
    harness(["derive", recording.id, "--view", view, "--json"]),
    harness(["replay", recording.id, "--speed", "max", "--view", view, "--json"]),
  ]);
  expect(derived.stdout).toBe(text);
  expect(replayed.stdout).toBe(text);
}

async function rederived({ manifest, directory }: Recorded, view: ViewId): Promise<string> {
  let text = "";
  for await (const batch of deriveRun(manifest, directory, findAgent(manifest.agent), findView(view)))
    for (const record of batch) text += `${JSON.stringify(record)}\n`;
  return text;
}

const RESULT = `${JSON.stringify({ type: "result", subtype: "success", is_error: false, result: "Done.", session_id: "s" })}\n`;

/** Every way to end, and everything that we add ourselves. */
const runs: readonly (readonly [string, readonly string[], Where?])[] = [
  ["lines that come one by one", command("ticks.mjs", "20", "5")],
  ["both streams together, more than is read at a time", command("interleaves.mjs", "3000")],
  ["a last line without its newline", ["--agent", "claude", "--binary", agent("says.mjs")], { env: { TEXT: '{"type":"resu' } }],
  ["nothing at all", command("exits-at-once")],
  ["a failure", ["--agent", "claude", "--binary", agent("says.mjs")], { env: { TEXT: "oh no\n", EXIT: "3" } }],
  ["a timeout, after warnings of silence", [...command("says-nothing"), "--idle-warning", "100ms", "--timeout", "500ms"]],
  [
    "a result and no exit",
    ["--agent", "claude", "--binary", agent("says-and-stays.mjs"), "--after-result", "100ms"],
    { env: { TEXT: RESULT } },
  ],
  ["an agent that was never started", command("needs-an-interpreter")],
  ["a secret in every form", command("leaks.mjs"), { env: { CANARY_API_KEY: "a-secret/of+mine" } }],
];

const every = Object.keys(views) as ViewId[];
const chosen = sample(every, 3);

describe("live == replayed == re-derived, over live runs", () => {
  test("every ending", { timeout: 4 * LONG_MS }, async () => {
    await inParallel(3, runs, async ([, args, more]) => {
      const where = place();
      const recording = await expectTheLaw(where, args, "log", more); // the view that shows everything
      if (more === undefined) await expectCommandsToAgree(where, recording, "log");
    });
  });

  test.each(chosen)(`view %s (${shareOf(chosen, every)})`, { timeout: 4 * LONG_MS }, async (view) => {
    await inParallel(3, runs.slice(0, 2), async ([, args, more]) => {
      const where = place();
      await expectCommandsToAgree(where, await expectTheLaw(where, args, view, more), view);
    });
  });

  test.each([
    ["ticks.mjs", "20", "5"],
    ["interleaves.mjs", "3000"],
  ])("every view, in the library: %s", { timeout: 4 * LONG_MS }, async (name, ...args) => {
    const { root, recording } = place();
    const line = [agent(name), ...args].join(" ");
    const live: Printed[] = [];
    for await (const printed of run({ agent: "generic", command: line, prompt: "Go.", dataDirectory: root, view: everyView }))
      live.push(printed);
    expect(new Set(live.map(({ view }) => view))).toEqual(new Set(every));
    const again: Printed[] = [];
    for await (const printed of derive(recording().directory, { view: everyView })) again.push(printed);
    expectSame(again, live);
  });

  const small = loadFixtures().filter(({ raw }) => raw.length < 200_000);

  test("recordings of real agents, written in random pieces with random pauses, with stderr in between", {
    timeout: 10 * LONG_MS,
  }, async () => {
    expect(small.length).toBeGreaterThan(50);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...small),
        fc.constantFrom(...(Object.keys(views) as ViewId[])),
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 4 }),
        fc.array(fc.constantFrom(0, 0, 0, 1, 2, 7, 25), { minLength: 1, maxLength: 8 }),
        async (fixture, view, cuts, errorCuts, pauses) => {
          const where = place();
          const script = join(dirname(where.root), "script.json");
          const pieces = interleaved(piecesOf(1, fixture.raw, cuts), piecesOf(2, fixture.stderr, errorCuts), pauses);
          writeFileSync(script, JSON.stringify({ pieces, exitCode: fixture.exitCode, signal: fixture.signal }));
          const recording = await expectTheLaw(where, argsFor(fixture), view, { env: { SCRIPT: script } });
          expect(recording.raw).toBe(fixture.raw.toString());
          expect(recording.stderr).toBe(fixture.stderr.toString());
          if (cuts.length % 2 === 0) await expectCommandsToAgree(where, recording, view);
        },
      ),
      { numRuns: 8 },
    );
  });

  test("a follower in another process sees the same, up to the end", { timeout: 2 * LONG_MS }, async () => {
    const where = place();
    const live = where.start(["run", "--prompt", "Go.", ...command("ticks.mjs", "60", "15"), "--view", "log"]);
    await live.printed("line 2");
    const follower = where.start(["derive", "last", "--follow", "--view", "log"]);
    const [{ stdout }, followed] = await Promise.all([live.done, follower.done]);
    expect(followed.stdout).toBe(stdout);
    expect(followed.code).toBe(0);
  });
});

interface ScriptPiece {
  readonly fd: 1 | 2;
  readonly base64: string;
}

function piecesOf(fd: 1 | 2, bytes: Buffer, cuts: readonly number[]): ScriptPiece[] {
  const points = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return points.slice(1).map((end, i) => ({ fd, base64: bytes.subarray(points[i], end).toString("base64") }));
}

/** One piece of `second` after each of `first`, while there are any, each after the next pause. */
function interleaved(first: readonly ScriptPiece[], second: readonly ScriptPiece[], pauses: readonly number[]): object[] {
  const pieces = first.flatMap((piece, i) => [piece, ...second.slice(i, i + 1)]).concat(second.slice(first.length));
  return pieces.map((piece, i) => ({ ...piece, pauseMs: pauses[i % pauses.length] }));
}

function argsFor({ agent: { id, inside } }: Fixture): readonly string[] {
  if (id === "generic") return command("plays.mjs");
  return ["--agent", id, "--binary", agent("plays.mjs"), ...(inside === true ? ["--model", "local/any"] : [])]; // our own agent needs a model
}
