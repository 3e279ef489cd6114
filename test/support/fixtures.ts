import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decode } from "../../src/host/recording/derive/decode.ts";
import { agents } from "../../src/pure/agents/agents.ts";
import type { Agent } from "../../src/pure/pipeline/agent.ts";
import type { RunInfo } from "../../src/pure/pipeline/event-log.ts";
import { pipeline } from "../../src/pure/pipeline/pipeline.ts";
import type { View, ViewOptions } from "../../src/pure/pipeline/view.ts";

export interface Fixture {
  readonly name: string;
  readonly folder: string;
  readonly agent: Agent;
  readonly raw: Buffer;
  readonly stderr: Buffer;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly provenance: string;
  /** What was known about the session at its start, if it was written down. */
  readonly run?: Partial<RunInfo>;
  /** When each line arrived, in milliseconds after the start; empty if not measured. */
  readonly lineTimesMs: readonly number[];
}

export const FIXTURES = join(import.meta.dirname, "../../fixtures");

/** The start of every replayed fixture: fixed, so that goldens do not depend on the day. */
export const EPOCH = Date.UTC(2026, 0, 1);

export function loadFixtures(root = FIXTURES): readonly Fixture[] {
  return Object.values(agents).flatMap((agent) => {
    const folder = join(root, agent.id);
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { withFileTypes: true })
      .flatMap((entry) => (entry.isDirectory() ? entry.name : []))
      .sort()
      .map((scenario) => loadFixture(agent, join(folder, scenario), `${agent.id}/${scenario}`));
  });
}

function loadFixture(agent: Agent, folder: string, name: string): Fixture {
  const meta = JSON.parse(readFileSync(join(folder, "meta.json"), "utf8"));
  const stderr = join(folder, "stderr.log");
  return {
    name,
    folder,
    agent,
    raw: readFileSync(join(folder, "raw.jsonl")),
    stderr: existsSync(stderr) ? readFileSync(stderr) : Buffer.alloc(0),
    exitCode: meta.exitCode ?? null,
    signal: meta.signal ?? null,
    provenance: meta.provenance,
    run: { sessionName: meta.session?.name, before: meta.session?.used },
    lineTimesMs: meta.lineTimesMs ?? [],
  };
}

export interface Replay extends ViewOptions {
  /** Without it the end of the run stays unknown, as for a bare file. */
  readonly exit?: boolean;
  readonly stderr?: boolean;
  readonly run?: Partial<RunInfo>;
}

/** Replays a fixture at its recorded times: the lines, then stderr, then the exit. */
export function replay<Out extends object>(fixture: Fixture, view: View<Out>, options: Replay = {}): Out[] {
  const line = pipeline(fixture.agent, view, { startedAt: EPOCH, ...fixture.run, ...options.run }, decode, options);
  const out: Out[] = [];
  let at = EPOCH;
  let number = 0;
  for (const bytes of linesOf(fixture.raw)) {
    at = EPOCH + (fixture.lineTimesMs[number++] ?? at - EPOCH); // a line without a time came with the one before it
    out.push(...line.bytes("stdout", bytes, at));
  }
  if (options.stderr !== false) out.push(...line.bytes("stderr", fixture.stderr, at));
  if (options.exit !== false) {
    out.push(...line.exit({ type: "exit", at, exitCode: fixture.exitCode, signal: fixture.signal, durationMs: at - EPOCH }));
  }
  out.push(...line.end(at));
  return out;
}

/** The same bytes in given pieces at one moment, with an unknown end. */
export function feed<Out extends object>(agent: Agent, view: View<Out>, pieces: Iterable<Uint8Array>, options?: ViewOptions): Out[] {
  const line = pipeline(agent, view, { startedAt: EPOCH }, decode, options);
  const out: Out[] = [];
  for (const piece of pieces) for (const record of line.bytes("stdout", piece, EPOCH)) out.push(record);
  return out.concat(line.end(EPOCH));
}

/** Each line with its newline; the last one may have none. */
export function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end + 1));
    start = end + 1;
  }
  if (start < bytes.length) lines.push(bytes.subarray(start));
  return lines;
}
