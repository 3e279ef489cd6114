import { nothing } from "../../base/index.ts";
import { addTokens, anyTokens, type BodyOf, noTokens, type Tokens } from "../../events/index.ts";
import { runSummary, type View } from "../../pipeline/index.ts";
import { isoClock } from "../iso-clock.ts";
import { differingTokens } from "../truth/index.ts";
import type { RequestRecord } from "./schema.ts";

/** One record per request to the model, and a sum at the end. Without a recorded request the sum is unknown: null, not zero. */
export const requests: View<RequestRecord> = {
  id: "requests",
  title: "The requests to the model: tokens as the provider counts, times, retries, limits",
  open() {
    const iso = isoClock();
    const summary = runSummary();
    const threads = new Set<number>();
    let [asked, failed, repeated] = [0, 0, 0];
    let tokens: Tokens = noTokens;
    let isAny = false;

    function total(): RequestRecord {
      const { usage, partialUsage } = summary.summary();
      if (!isAny) return { type: "total", ...unknown, tokens, reported: usage, differing: null };
      const isKnown = partialUsage === undefined && anyTokens(usage);
      const differing = isKnown ? [...differingTokens(usage, tokens)] : null;
      return { type: "total", requests: asked, failed, repeated, threads: threads.size, tokens, reported: usage, differing };
    }

    return {
      push(event) {
        summary.see(event);
        const { body } = event;
        if (body.type === "run-end") return [total()];
        if (body.type !== "model-request") return nothing;
        isAny = true;
        if (body.dialect !== null) {
          asked++;
          if (body.retries !== null) repeated++;
          if (body.problem !== undefined || body.status === null || body.status >= 400) failed++;
          if (body.thread !== null) threads.add(body.thread);
        }
        if (body.tokens !== null) tokens = addTokens(tokens, body.tokens);
        const { type: _, head: __, up: ___, down: ____, request, startedAt, limits, ...rest } = body;
        return [{ type: "request", request, ...rest, startedAt: iso(startedAt), limits: [...limits], ...contextOf(body) }];
      },
      end: () => nothing,
    };
  },
};

const unknown = { requests: null, failed: null, repeated: null, threads: null };

function contextOf({ tokens }: BodyOf<"model-request">): { readonly context: number | null; readonly cached: number | null } {
  if (tokens === null || tokens.input === null) return { context: null, cached: null };
  const context = tokens.input + (tokens.cacheRead ?? 0) + (tokens.cacheWrite ?? 0);
  return { context, cached: tokens.cacheRead === null || context === 0 ? null : tokens.cacheRead / context };
}
