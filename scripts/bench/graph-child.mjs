// Parses and reduces the events in tenths. Reports both times, and the bytes that the graph keeps per event in addition to contents.
import { writeSync } from "node:fs";

const [library, kind, events] = process.argv.slice(2);
const { createGraph, reduceEvent } = await import(library);
const tenth = Math.floor(Number(events) / 10);
const PIECE = "the next few words of an answer ";

const make = kind === "chunks" ? chunks() : nodes();
const parsed = [];
const reduced = [];
warm();

let graph = createGraph();
let contents = 0;
globalThis.gc();
const before = process.memoryUsage().heapUsed;
for (let part = 0; part < 10; part++) {
  const lines = [];
  for (let i = 0; i < tenth; i++) lines.push(JSON.stringify(make.next().value));
  globalThis.gc();
  parsed.push(time(() => lines.map((line) => JSON.parse(line))));
  let fresh = lines.map((line) => JSON.parse(line));
  for (const { content = "" } of fresh) contents += content.length;
  globalThis.gc();
  reduced.push(
    time(() => {
      for (const event of fresh) graph = reduceEvent(graph, event);
    }),
  );
  fresh = undefined;
}
globalThis.gc();
const retained = (process.memoryUsage().heapUsed - before - contents) / (10 * tenth);
writeSync(3, JSON.stringify({ parsed, reduced, retained, nodes: graph.nodes.size }));

/** Warms up, so that compilation is not measured. */
function warm() {
  const make = kind === "chunks" ? chunks() : nodes();
  let graph = createGraph();
  for (let i = 0; i < 100_000; i++) graph = reduceEvent(graph, JSON.parse(JSON.stringify(make.next().value)));
}

/** In processor time, which other processes disturb less than wall time. */
function time(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** An agent that streams text in chunks, sometimes calls a tool, and starts a subagent. */
function* chunks() {
  for (let turn = 0; ; turn++) {
    const runId = `run_01J9ZK4W7V8Q${Math.floor(turn / 100)}`;
    if (turn % 100 === 0) yield { type: "harness_start", runId, depth: 0, maxIterations: 100 };
    for (let i = 0; i < 27; i++) yield { type: "text", runId, id: `msg_01J9ZK4W7V8Q2M6P_${turn}`, content: PIECE };
    const id = `${runId}/call_01J9ZK4W7V8Q_${turn}`;
    yield { type: "tool_call", runId, id, name: "read", input: { path: `/home/dev/space/src/file-${turn}.ts` } };
    yield { type: "tool_result", runId, id, name: "read", output: { context: "read 120 lines", result: { lines: 120 } } };
    yield { type: "usage", runId, inputTokens: 1200, outputTokens: 300, cacheReadTokens: 4000 };
  }
}

/** Every event is a node: calls and results of two runs, one the child of the other. */
function* nodes() {
  for (let turn = 0; ; turn++) {
    const runId = `run_01J9ZK4W7V8Q_${turn % 2}`;
    const parent = turn % 2 === 1 && turn > 1 ? { parentId: "run_01J9ZK4W7V8Q_0" } : {};
    const id = `${runId}/call_01J9ZK4W7V8Q_${turn}`;
    yield { type: "tool_call", runId, ...parent, id, name: "read", input: { path: `/home/dev/space/src/file-${turn}.ts` } };
    yield { type: "tool_result", runId, id, name: "read", output: { context: "read 120 lines", result: { lines: 120 } } };
  }
}
