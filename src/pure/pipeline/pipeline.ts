import type { Event, ExitRecord, FactRecord, Line, Stream } from "../events/index.ts";
import type { Agent } from "./agent.ts";
import { eventLog, type RunInfo } from "./event-log.ts";
import { type Decode, lineSplitter } from "./line-splitter.ts";
import type { View, ViewOptions } from "./view.ts";

/** The complete path in one object: bytes → lines → records → events → view. Used live, for replay and for derivation. */
export interface Pipeline<Out> {
  bytes(stream: Stream, chunk: Uint8Array, at: number): readonly Out[];
  /** A line that the caller split off, because each has its own time. */
  line(stream: Stream, line: Line, at: number): readonly Out[];
  /** A stream has ended: its last line is complete, with or without a newline. */
  close(stream: Stream, at: number): readonly Out[];
  fact(record: FactRecord): readonly Out[];
  exit(record: ExitRecord): readonly Out[];
  /** The streams have ended: closes what is still open and ends the run. */
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
  const log = eventLog(agent, run, project);
  const projection = view.open(options);
  let out: Out[] = []; // the records of the current input
  let exit: ExitRecord | undefined;

  function project(event: Event): void {
    const records = projection.push(event);
    if (records.length > 0) for (const record of records) out.push(record); // mostly empty
  }

  function lines(stream: Stream, lines: readonly Line[], at: number): void {
    for (const line of lines) log.line(stream, line, at);
  }

  function endLines(at: number): void {
    lines("stdout", splitters.stdout.end(), at);
    lines("stderr", splitters.stderr.end(), at);
  }

  function taken(): readonly Out[] {
    const given = out;
    out = [];
    return given;
  }

  return {
    bytes(stream, chunk, at) {
      lines(stream, splitters[stream].push(chunk), at);
      return taken();
    },
    line(stream, line, at) {
      lines(stream, [line], at);
      return taken();
    },
    close(stream, at) {
      lines(stream, splitters[stream].end(), at);
      return taken();
    },
    fact(observed) {
      if (observed.body.type === "process-observed") endLines(observed.at);
      log.push(observed);
      return taken();
    },
    exit(observed) {
      exit = observed;
      return [];
    },
    end(at) {
      endLines(at);
      if (exit !== undefined) log.push(exit); // after the last line, in whatever order they arrived
      log.end();
      for (const last of projection.end()) out.push(last);
      return taken();
    },
  };
}
