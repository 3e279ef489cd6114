import { resolve } from "node:path";
import { dataOf } from "../../host/recording/index.ts";
import type { JsonObject } from "../../pure/base/index.ts";
import { type GraderOptions, graderOf } from "./graders/index.ts";
import { readResults } from "./results/index.ts";
import { openRegrader } from "./running/index.ts";

export interface GradeOptions extends GraderOptions {
  /** The data directory with the runs. Default: `$XDG_DATA_HOME/harness`. */
  readonly dataDirectory?: string;
  readonly signal?: AbortSignal;
}

/** The same lines with new grades. Runs nothing: it rebuilds the workspaces from the recorded runs. */
export async function* grade(results: string, options: GradeOptions): AsyncGenerator<JsonObject, void> {
  const { signal = new AbortController().signal } = options;
  const regrader = openRegrader(await graderOf(options, [resolve(results)]), dataOf(options), { signal });
  try {
    for (const { line } of readResults(results)) {
      if (signal.aborted) return;
      yield await regrader.graded(line, "all");
    }
  } finally {
    await regrader.close();
  }
}
