import type { JsonObject } from "../../src/core/json.ts";
import { clipEvent, WHOLE } from "../../src/timeline/clip-event.ts";
import { holdsText } from "../../src/timeline/holds-text.ts";
import type { LogState } from "../../src/timeline/log-state.ts";
import { timeline } from "../../src/timeline/timeline.ts";
import { ROW_BYTES, writeRow } from "../../src/timeline/timeline-row.ts";
import { readBlock } from "./block-of.ts";
import type { PageEvent, RunPage, RunSource } from "./run-source.ts";

interface Loaded {
  readonly page: RunPage;
  readonly lines: readonly string[];
  readonly rows: ArrayBuffer;
}

/** So many are searched before others have their turn. */
const AT_A_TIME = 2000;

/** The run that this file holds. */
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

  async function event(seq: number): Promise<PageEvent> {
    const line = (await loaded()).lines[seq - 1];
    if (line === undefined) throw new Error("There is no such event in this run.");
    return JSON.parse(line) as PageEvent;
  }

  return {
    page: async () => (await loaded()).page,
    rows: async (from) => (await loaded()).rows.slice(from * ROW_BYTES),
    events: (seqs) => Promise.all(seqs.map(async (seq) => shortened(await event(seq), (await loaded()).lines[seq - 1] ?? ""))),
    event,
    raw: async ({ stream, offset, length }) => new TextDecoder().decode((await bytesOf(stream)).subarray(offset, offset + length)),
    patch: async () => new TextDecoder().decode(await bytesOf("patch")),
    async search(text, from) {
      const { lines } = await loaded();
      const wanted = text.toLowerCase();
      const seqs: number[] = [];
      const last = Math.min(lines.length, from + AT_A_TIME - 1);
      for (let seq = from; seq <= last; seq++) if (holdsText(JSON.parse(lines[seq - 1] ?? "{}"), wanted)) seqs.push(seq);
      return { seqs, next: last < lines.length ? last + 1 : null };
    },
    follow: () => () => {},
  };
}

function shortened(event: PageEvent, { length }: string): PageEvent {
  return length <= WHOLE ? event : (clipEvent(event as unknown as JsonObject, length) as unknown as PageEvent);
}

async function load(): Promise<Loaded> {
  const [first = "{}", ...lines] = new TextDecoder()
    .decode(await readBlock("log"))
    .trimEnd()
    .split("\n");
  const all = timeline();
  const rows = new ArrayBuffer(lines.length * ROW_BYTES);
  const view = new DataView(rows);
  for (const [i, line] of lines.entries()) writeRow(view, i * ROW_BYTES, all.row(JSON.parse(line) as PageEvent, line.length));
  const log: LogState = { count: lines.length, done: true, problem: null, lanes: all.lanes };
  return { page: { ...(JSON.parse(first) as Omit<RunPage, "log">), log }, lines, rows };
}
