import { useEffect, useState } from "preact/hooks";
import type { ResultRow, ResultsPage } from "../../src/pure/timeline/index.ts";
import { askJson } from "../source/index.ts";

export interface ResultsState {
  readonly page: ResultsPage;
  readonly rows: readonly ResultRow[];
}

/** A running evaluation adds a line now and then. */
const AGAIN_MS = 4000;

/** The server's results as they grow. A read error is shown until it is gone. */
export function useResults(): { readonly state?: ResultsState; readonly error?: unknown } {
  const [state, setState] = useState<ResultsState>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let known = "";
    const look = async () => {
      try {
        const page = await askJson<ResultsPage>(`/api/results?known=${known}`, left.signal);
        if (page.version !== known) {
          setState({ page, rows: await allRows(page.cases, left.signal) });
          known = page.version;
        }
        setError(undefined);
      } catch (problem) {
        if (left.signal.aborted) return;
        setError(problem);
      }
      timer = setTimeout(() => void look(), AGAIN_MS);
    };
    void look();
    return () => {
      left.abort();
      clearTimeout(timer);
    };
  }, []);
  return { ...(state && { state }), ...(error !== undefined && { error }) };
}

async function allRows(count: number, signal: AbortSignal): Promise<readonly ResultRow[]> {
  const rows: ResultRow[] = [];
  while (rows.length < count) {
    const more = await askJson<readonly ResultRow[]>(`/api/results/rows?from=${rows.length}`, signal);
    if (more.length === 0) break;
    for (const row of more) rows.push(row);
  }
  return rows;
}
