import type { LogState } from "../../src/timeline/log-state.ts";
import { AskError, ask, askJson } from "./ask.ts";
import { follow } from "./follow.ts";
import type { PageEvent, RunSource } from "./run-source.ts";

/** So many are asked for at a time. */
const AT_A_TIME = 500;

/** A run as a server has it. */
export function serverRun(id: string): RunSource {
  const base = `/api/runs/${encodeURIComponent(id)}`;
  return {
    page: () => askJson(base),
    rows: async (from) => (await ask(`${base}/rows?from=${from}&to=${from + rowsAt(from)}`)).arrayBuffer(),
    async events(seqs) {
      const events: PageEvent[] = [];
      for (let at = 0; at < seqs.length; at += AT_A_TIME) {
        const text = await (await ask(`${base}/events?seq=${rangesOf(seqs.slice(at, at + AT_A_TIME))}`)).text();
        events.push(...eventsIn(text));
      }
      return events;
    },
    whole: async (from, to) => eventsIn(await (await ask(`${base}/whole?from=${from}&to=${to}`)).text()),
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
    follow: (told, connected) => follow<LogState>(`${base}/live`, told, connected, ({ done }) => done),
  };
}

function eventsIn(text: string): PageEvent[] {
  const events: PageEvent[] = [];
  for (const line of text.split("\n")) if (line !== "") events.push(JSON.parse(line) as PageEvent);
  return events;
}

/** Few at first, so that something is seen at once. */
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
