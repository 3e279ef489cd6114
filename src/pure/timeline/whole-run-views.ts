import type { View } from "../pipeline/index.ts";

/** These keep all they have seen until the run ends, and then say it in one record. The others say it as it comes. */
const keeping: ReadonlySet<string> = new Set(["capture", "summary", "markdown", "graph"]);

export function keepsWholeRun({ id }: Pick<View, "id">): boolean {
  return keeping.has(id);
}

/** Of a run whose agent printed more bytes than this they are made in a process of their own only: neither a tab nor the page's server has room. */
export const MOST_KEPT = 64 * 1024 * 1024;
