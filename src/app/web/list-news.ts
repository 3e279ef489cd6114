import { setTimeout as pause } from "node:timers/promises";
import type { RunRow } from "../../pure/pipeline/index.ts";
import type { NewsStream } from "./news-stream.ts";
import type { RunList } from "./run-list.ts";

export interface ListNews {
  readonly rows: readonly RunRow[];
  readonly gone: readonly string[];
}

const EVERY_MS = 1000;

/** While anyone listens, looks every second for new, changed and deleted runs and sends them to all listeners. */
export function listNews(list: RunList) {
  const readers = new Set<NewsStream<ListNews>>();
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      while (readers.size > 0) {
        const news = await list.news();
        if (news.rows.length > 0 || news.gone.length > 0) for (const reader of readers) reader.send(news);
        await pause(EVERY_MS, undefined, { ref: false });
      }
    } finally {
      isLooking = false;
    }
  }

  return {
    add(reader: NewsStream<ListNews>): () => void {
      readers.add(reader);
      void look().catch(() => {}); // the next listener starts it again
      return () => readers.delete(reader);
    },
    close(): void {
      for (const reader of readers) reader.close();
      readers.clear();
    },
  };
}

/** The newest row of each run. */
export function mergedNews(earlier: ListNews, later: ListNews): ListNews {
  const rows = new Map([...earlier.rows, ...later.rows].map((row) => [row.id, row]));
  return { rows: [...rows.values()], gone: [...new Set([...earlier.gone, ...later.gone])] };
}
