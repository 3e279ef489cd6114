import type { Usage } from "../core/harness-event.ts";
import type { SdkPart } from "./language-model.ts";

type Told = Extract<SdkPart, { readonly type: "finish" }>["usage"];

export const nothingUsed: Usage = { inputTokens: null, outputTokens: null };

/** Undefined where nothing was told. Providers count cached input into the total; here the classes are disjoint. */
export function usageOf({ inputTokens: input, outputTokens: output }: Told): Usage | undefined {
  const { cacheRead, cacheWrite } = input;
  const uncached = input.noCache ?? (input.total === undefined ? undefined : input.total - (cacheRead ?? 0) - (cacheWrite ?? 0));
  if (uncached === undefined && output.total === undefined) return undefined;
  return {
    inputTokens: uncached === undefined ? null : Math.max(0, uncached),
    outputTokens: output.total ?? null,
    ...(cacheRead !== undefined && { cacheReadTokens: cacheRead }),
    ...(cacheWrite !== undefined && { cacheCreationTokens: cacheWrite }),
  };
}

/** Class by class; a class that only one side knows keeps that side's number. */
export function addUsage(a: Usage, b: Usage): Usage {
  const optional = (["cacheReadTokens", "cacheCreationTokens", "costUsd"] as const).flatMap((key) => {
    const total = sum(a[key] ?? null, b[key] ?? null);
    return total === null ? [] : [[key, total] as const];
  });
  return {
    inputTokens: sum(a.inputTokens, b.inputTokens),
    outputTokens: sum(a.outputTokens, b.outputTokens),
    ...Object.fromEntries(optional),
  };
}

function sum(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}
