import type { Usage } from "../../pure/events/index.ts";
import type { SdkPart } from "./language-model.ts";

type Reported = Extract<SdkPart, { readonly type: "finish" }>["usage"];

/** Undefined if nothing was reported. Providers include cached input in the total; here the classes are disjoint. */
export function usageOf({ inputTokens: input, outputTokens: output }: Reported): Usage | undefined {
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
