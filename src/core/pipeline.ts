import type { Agent } from "./agent.ts";
import type { Event } from "./event.ts";
import { eventLog, type RunInfo } from "./event-log.ts";
import { type Decode, lineSplitter } from "./line-splitter.ts";
import type { ExitRecord, FactRecord, Line, RunRecord, Stream } from "./record.ts";
import type { View, ViewOptions } from "./view.ts";

/** The whole way in one object: bytes → lines → records → events → view. Live, replayed or re-derived, it is this. */
export interface Pipeline<Out> {
  bytes(stream: Stream, chunk: Uint8Array, at: number): readonly Out[];
  fact(record: FactRecord): readonly Out[];
  exit(record: ExitRecord): readonly Out[];
  /** The streams are over: what is still open is closed, and the run ends. */
  end(at: number): readonly Out[];
}

export function pipeline<Out extends object>(
  agent: Agent,
  view: View<Out>,
  run: RunInfo,
  decode: Decode,
  options?: ViewOptions,
): Pipeline<Out> {
  const splitters = { stdout: lineSplitter(decode), stderr: lineSplitter(decode) };
  const log = eventLog(agent, run);
  const projection = view.open(options);
  let exit: ExitRecord | undefined;

  function project(out: Out[], events: readonly Event[]): void {
    for (const event of events) {
      const records = projection.push(event);
      if (records.length > 0) for (const record of records) out.push(record); // mostly there is nothing to go through
    }
  }

  function record(out: Out[], input: RunRecord): void {
    project(out, log.push(input));
  }

  function lines(stream: Stream, lines: readonly Line[], at: number): readonly Out[] {
    const out: Out[] = [];
    for (const line of lines) record(out, { type: "line", at, stream, line });
    return out;
  }

  return {
    bytes: (stream, chunk, at) => lines(stream, splitters[stream].push(chunk), at),
    fact(observed) {
      const out: Out[] = [];
      record(out, observed);
      return out;
    },
    exit(observed) {
      exit = observed;
      return [];
    },
    end(at) {
      const out = [...lines("stdout", splitters.stdout.end(), at), ...lines("stderr", splitters.stderr.end(), at)];
      if (exit !== undefined) record(out, exit); // after the last line, whatever order the world had
      project(out, log.end());
      for (const last of projection.end()) out.push(last);
      return out;
    },
  };
}
