import type { View } from "../pipeline/index.ts";

/** These views hold everything until the run ends and then make one record. The others make records as events arrive. */
const keeping: ReadonlySet<string> = new Set(["capture", "summary", "markdown", "graph"]);

export function keepsWholeRun({ id }: Pick<View, "id">): boolean {
  return keeping.has(id);
}

/** If the agent printed more bytes, these views are derived in a separate process: a tab and the page's server lack the memory. */
export const MOST_KEPT = 64 * 1024 * 1024;
