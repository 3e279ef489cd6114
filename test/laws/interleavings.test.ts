import { expect, test } from "vitest";
import { decode } from "../../src/host/recording/derive/decode.ts";
import { agents } from "../../src/pure/agents/agents.ts";
import { recordOf } from "../../src/pure/events/codec.ts";
import type { LogRecord } from "../../src/pure/events/index.ts";
import type { Agent } from "../../src/pure/pipeline/agent.ts";
import { innerEvents } from "../../src/pure/pipeline/index.ts";
import { pipeline } from "../../src/pure/pipeline/pipeline.ts";
import type { TrajectoryStep } from "../../src/pure/views/trajectory/schema.ts";
import { trajectory } from "../../src/pure/views/trajectory/view.ts";
import { EPOCH, linesOf, loadFixtures } from "../support/fixtures.ts";
import { runs } from "../support/full.ts";
import { joinedAcross, outOfOrder, twice } from "../support/order.ts";
import { generator, pick } from "../support/random.ts";

/**
 * The law of order over streams that no recording holds: lines of one or two recordings of an agent, some left out, neighbours swapped,
 * threads mixed, with unreadable lines, unknown records and stderr in between, cut anywhere.
 */

interface Piece {
  readonly stream: "stdout" | "stderr";
  readonly bytes: Buffer;
}

const NOISE: readonly Piece[] = [
  { stream: "stdout", bytes: Buffer.from("not json at all\n") },
  { stream: "stdout", bytes: Buffer.from('{"type":"never_seen","n":1}\n') },
  { stream: "stdout", bytes: Buffer.from("\n") },
  { stream: "stdout", bytes: Buffer.from([0xff, 0xfe, 0x0a]) },
  { stream: "stderr", bytes: Buffer.from("a line on stderr\n") },
  { stream: "stderr", bytes: Buffer.from("Error: something broke\n    at place (file.js:1:2)\n") },
];

/** One object over many lines, complete with its last one. */
function isDocument(raw: Buffer): boolean {
  return /^ {2}"/m.test(raw.toString("latin1"));
}

const TIMES = runs(150, 2_000);
const fixtures = loadFixtures();

function interleaved(lines: readonly (readonly Buffer[])[], random: () => number): readonly Piece[] {
  const happens = (share: number) => random() % 1000 < share * 1000;
  const queues = lines.map((each) => [...each]);
  const out: Piece[] = [];
  while (queues.some(({ length }) => length > 0)) {
    const queue = pick(
      queues.filter(({ length }) => length > 0),
      random,
    );
    if (happens(0.15)) out.push(pick(NOISE, random));
    const at = queue.length > 1 && happens(0.05) ? 1 : 0; // the next but one comes first
    const [line = Buffer.alloc(0)] = queue.splice(at, 1);
    if (!happens(0.05)) out.push({ stream: "stdout", bytes: line });
  }
  const cut = happens(0.3) ? random() % (out.length + 1) : out.length;
  return out.slice(0, cut);
}

function eventsOf(agent: Agent, pieces: readonly Piece[]): readonly LogRecord[] {
  const line = pipeline(agent, innerEvents, { startedAt: EPOCH }, decode);
  const events = pieces.flatMap(({ stream, bytes }, i) => [...line.bytes(stream, bytes, EPOCH + i * 10)]);
  const at = EPOCH + pieces.length * 10;
  events.push(...line.exit({ type: "exit", at, exitCode: 1, signal: null, durationMs: at - EPOCH }), ...line.end(at));
  return events.map(recordOf);
}

function stepsOf(agent: Agent, pieces: readonly Piece[]): readonly TrajectoryStep[] {
  const line = pipeline(agent, trajectory, { startedAt: EPOCH }, decode);
  const steps = pieces.flatMap(({ stream, bytes }, i) => [...line.bytes(stream, bytes, EPOCH + i * 10)]);
  return [...steps, ...line.end(EPOCH + pieces.length * 10)];
}

/** Steps whose time is not when a call began, or when a result came whose call is not known. */
function misdated(steps: readonly TrajectoryStep[], events: readonly LogRecord[]): readonly TrajectoryStep[] {
  const times = new Set<number>();
  for (const event of events) {
    if (event.type === "tool-start") times.add((event.since ?? event.at) - EPOCH);
    else if (event.type === "tool-end") times.add(event.at - EPOCH);
  }
  return steps.filter(({ type, timestamp }) => type === "tool_call" && !times.has(timestamp));
}

test.each(Object.values<Agent>(agents))(`$id: ${TIMES} interleavings are in order`, { timeout: 600_000 }, (agent) => {
  const own = fixtures.filter(({ raw, ...of }) => of.agent.id === agent.id && raw.length < 200_000 && !isDocument(raw));
  if (own.length === 0) return;
  const seed = Number(process.env["HARNESS_TEST_SEED"] ?? Math.floor(Date.now() / 86_400_000));
  for (let n = 0; n < TIMES; n++) {
    const random = generator(seed * 10_000 + n);
    const chosen = [pick(own, random), ...(random() % 10 < 3 ? [pick(own, random)] : [])];
    const pieces = interleaved(
      chosen.map(({ raw }) => linesOf(raw)),
      random,
    );
    const events = eventsOf(agent, pieces);
    const about = `HARNESS_TEST_SEED=${seed}, interleaving ${n} of ${chosen.map(({ name }) => name).join(" and ")}`;
    expect(outOfOrder(events), about).toEqual([]);
    expect(joinedAcross(events), about).toEqual([]);
    expect(twice(events), about).toEqual([]);
    const steps = stepsOf(agent, pieces);
    expect(misdated(steps, events), about).toEqual([]);
    const times = steps.map(({ timestamp }) => timestamp);
    expect(times, about).toEqual([...times].sort((a, b) => a - b));
  }
});
