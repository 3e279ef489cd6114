import { parseJsonLines } from "../../src/pure/base/index.ts";
import type { LogState } from "../../src/pure/timeline/index.ts";
import { AskError, ask, askJson } from "./ask.ts";
import { follow } from "./follow.ts";
import type { PageEvent, RunPage, RunSource } from "./run-source.ts";

/** The most events per request. */
const AT_A_TIME = 500;
const EARLY = 100;

export function serverRun(id: string): RunSource {
  const base = `/api/runs/${encodeURIComponent(id)}`;
  /** The first events, prefetched and used once. */
  let early: Promise<readonly PageEvent[]> | undefined;
  let isOpen = false;

  async function eventsOf(seqs: readonly number[]): Promise<PageEvent[]> {
    const events: PageEvent[] = [];
    for (let at = 0; at < seqs.length; at += AT_A_TIME) {
      const text = await (await ask(`${base}/events?seq=${rangesOf(seqs.slice(at, at + AT_A_TIME))}`)).text();
      for (const event of parseJsonLines<PageEvent>(text)) events.push(event);
    }
    return events;
  }

  return {
    async page() {
      const page = await askJson<RunPage>(base);
      const count = Math.min(EARLY, page.log.count);
      if (!isOpen && count > 0) early = eventsOf(Array.from({ length: count }, (_, i) => i + 1)).catch(() => []);
      isOpen = true;
      return page;
    },
    rows: async (from) => (await ask(`${base}/rows?from=${from}&to=${from + rowsAt(from)}`)).arrayBuffer(),
    async events(seqs) {
      const known = new Map((await early)?.map((event) => [event.seq, event]));
      early = undefined;
      const missing = seqs.filter((seq) => !known.has(seq));
      const others = missing.length === 0 ? [] : await eventsOf(missing);
      return [...seqs.flatMap((seq) => known.get(seq) ?? []), ...others].sort((a, b) => a.seq - b.seq);
    },
    whole: async (from, to) => parseJsonLines<PageEvent>(await (await ask(`${base}/whole?from=${from}&to=${to}`)).text()),
    event: (seq) => askJson(`${base}/events/${seq}`),
    raw: async ({ stream, offset, length }) => (await ask(`${base}/raw/${stream}?offset=${offset}&length=${length}`)).text(),
    patch: async () => {
      try {
        return await (await ask(`${base}/patch`)).text();
      } catch (error) {
        if (error instanceof AskError && error.status === 404) return "";
        throw error;
      }
    },
    usage: () => askJson(`${base}/usage`),
    search: (text, from) => askJson(`${base}/search?q=${encodeURIComponent(text)}&from=${from}`),
    follow: (onState, connected) => follow<LogState>(`${base}/live`, onState, connected, ({ done }) => done),
  };
}

/** Small at first, so that the first rows appear quickly. */
function rowsAt(from: number): number {
  return from === 0 ? 2048 : 65_536;
}

/** `[1, 2, 3, 7]` → `1-3,7` */
function rangesOf(seqs: readonly number[]): string {
  const parts: string[] = [];
  let first = seqs[0] ?? 0;
  let last = first;
  const close = () => parts.push(first === last ? String(first) : `${first}-${last}`);
  for (const seq of seqs.slice(1)) {
    if (seq !== last + 1) {
      close();
      first = seq;
    }
    last = seq;
  }
  close();
  return parts.join(",");
}
