import type { JsonObject } from "../../src/pure/base/index.ts";
import {
  clipEvent,
  holdsText,
  LEFT_OUT,
  type LogState,
  ROW_BYTES,
  timeline,
  type UsagePoint,
  usageCurve,
  WHOLE,
  writeRow,
} from "../../src/pure/timeline/index.ts";
import { baseOf, readBlock } from "./block-of.ts";
import type { PageEvent, RunPage, RunSource } from "./run-source.ts";

interface Loaded {
  readonly page: RunPage;
  /** The `seq` of the first event in the file. */
  readonly lines: readonly string[];
  readonly first: number;
  readonly rows: ArrayBuffer;
  readonly usage: readonly UsagePoint[];
}

/** So many events are searched before yielding to the browser. */
const AT_A_TIME = 2000;
const WHOLE_AT_A_TIME = 500;

/** The run in this file. */
export function exportedRun(): RunSource {
  let loading: Promise<Loaded> | undefined;
  const loaded = () => {
    loading ??= load();
    return loading;
  };
  const streams = new Map<string, Promise<Uint8Array>>();
  const bytesOf = (stream: string) => {
    const known = streams.get(stream) ?? readBlock(stream);
    streams.set(stream, known);
    return known;
  };

  /** The lines of a range of events, as far as the file has them. */
  const linesOf = ({ lines, first }: Loaded, from: number, to: number) =>
    lines.slice(Math.max(0, from - first), Math.max(0, to - first + 1));

  async function lineOf(seq: number): Promise<string | undefined> {
    return linesOf(await loaded(), seq, seq)[0];
  }

  return {
    page: async () => (await loaded()).page,
    rows: async (from) => (await loaded()).rows.slice(from * ROW_BYTES),
    async events(seqs) {
      const lines = await Promise.all(seqs.map(lineOf));
      return lines.flatMap((line) => (line === undefined ? [] : [shortened(line)]));
    },
    async whole(from, to) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      return linesOf(await loaded(), from, Math.min(to, from + WHOLE_AT_A_TIME - 1)).map((line) => JSON.parse(line) as PageEvent);
    },
    async event(seq) {
      const line = await lineOf(seq);
      if (line === undefined) throw new Error("This event is not in this file.");
      return JSON.parse(line) as PageEvent;
    },
    async raw({ stream, offset, length }) {
      const start = offset - baseOf(stream);
      const bytes = await bytesOf(stream);
      if (start < 0 || start + length > bytes.length) throw new Error("The raw bytes of this event are not in this file.");
      return new TextDecoder().decode(bytes.subarray(start, start + length));
    },
    patch: async () => new TextDecoder().decode(await bytesOf("patch")),
    async search(text, from) {
      const found = await loaded();
      const wanted = text.toLowerCase();
      const seqs: number[] = [];
      const end = found.first + found.lines.length - 1;
      const start = Math.max(from, found.first);
      const last = Math.min(end, start + AT_A_TIME - 1);
      for (const [i, line] of linesOf(found, start, last).entries()) if (holdsText(JSON.parse(line), wanted)) seqs.push(start + i);
      await new Promise((resolve) => setTimeout(resolve, 0));
      return { seqs, next: last < end ? last + 1 : null, looked: last };
    },
    usage: async () => (await loaded()).usage,
    follow: () => () => {},
  };
}

function shortened(line: string): PageEvent {
  const event = JSON.parse(line) as PageEvent;
  return line.length <= WHOLE ? event : (clipEvent(event as unknown as JsonObject, line.length) as unknown as PageEvent);
}

async function load(): Promise<Loaded> {
  const [head = "{}", ...lines] = new TextDecoder()
    .decode(await readBlock("log"))
    .trimEnd()
    .split("\n");
  const page = JSON.parse(head) as Omit<RunPage, "log">;
  const first = page.part?.first ?? 1;
  const before = first - 1;
  const all = timeline();
  const used = usageCurve();
  const rows = new ArrayBuffer((before + lines.length) * ROW_BYTES);
  const view = new DataView(rows);
  const nothing = { ms: 0, link: 0, bytes: 0, lane: 0, kind: LEFT_OUT, flags: 0 };
  for (let i = 0; i < before; i++) writeRow(view, i * ROW_BYTES, nothing);
  for (const [i, line] of lines.entries()) {
    const event = JSON.parse(line) as PageEvent;
    writeRow(view, (before + i) * ROW_BYTES, all.row(event, line.length));
    used.see(event);
  }
  const log: LogState = { count: before + lines.length, done: true, problem: null, lanes: all.lanes };
  return { page: { ...page, log }, lines, first, rows, usage: used.points() };
}
