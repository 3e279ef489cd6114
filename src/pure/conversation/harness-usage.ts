import { lesser, type Usage } from "../events/index.ts";

export const noUsage: Usage = Object.freeze({ inputTokens: null, outputTokens: null });

/** Adds class by class. If only one side reports a class, its number stays. */
export function addUsage(a: Usage, b: Usage): Usage {
  const plus = (x: number | null | undefined, y: number | null | undefined) => (x == null ? (y ?? null) : x + (y ?? 0));
  const cacheReadTokens = plus(a.cacheReadTokens, b.cacheReadTokens);
  const cacheCreationTokens = plus(a.cacheCreationTokens, b.cacheCreationTokens);
  const costUsd = plus(a.costUsd, b.costUsd);
  const covers = a.covers && b.covers ? lesser(a.covers, b.covers) : (a.covers ?? b.covers);
  return {
    inputTokens: plus(a.inputTokens, b.inputTokens),
    outputTokens: plus(a.outputTokens, b.outputTokens),
    ...(cacheReadTokens === null ? {} : { cacheReadTokens }),
    ...(cacheCreationTokens === null ? {} : { cacheCreationTokens }),
    ...(costUsd === null ? {} : { costUsd }),
    ...(covers && { covers }),
    ...((a.incomplete || b.incomplete) && { incomplete: true }),
  };
}
