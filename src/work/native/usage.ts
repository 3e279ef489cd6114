import { numberOf } from "../../pure/base/index.ts";
import type { Usage } from "../../pure/events/index.ts";
import type { SdkPart } from "./language-model.ts";

type Reported = Extract<SdkPart, { readonly type: "finish" }>["usage"];

/** Undefined if nothing was reported. Providers include cached input in the total; here the classes are disjoint. */
export function usageOf({ inputTokens: input, outputTokens: output, raw }: Reported): Usage | undefined {
  const isCacheKnown = raw === undefined || /cache/i.test(JSON.stringify(raw)); // the client turns what no one reported into a zero
  const { cacheRead, cacheWrite } = isCacheKnown ? input : { cacheRead: undefined, cacheWrite: undefined };
  const costUsd = numberOf(raw?.["cost"]); // OpenRouter
  const uncached = input.noCache ?? (input.total === undefined ? undefined : input.total - (cacheRead ?? 0) - (cacheWrite ?? 0));
  if (uncached === undefined && output.total === undefined) return undefined;
  return {
    inputTokens: uncached === undefined ? null : Math.max(0, uncached),
    outputTokens: output.total ?? null,
    ...(cacheRead !== undefined && { cacheReadTokens: cacheRead }),
    ...(cacheWrite !== undefined && { cacheCreationTokens: cacheWrite }),
    ...(costUsd !== undefined && { costUsd }),
  };
}
