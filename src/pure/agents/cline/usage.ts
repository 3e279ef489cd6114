// What Cline's threads used. `aggregateUsage` of the run includes teammates and leaves out the agents of `spawn_agent`, whose usage is in
// their own lines: `usage` per request, `done.usage` at their end, `spawn_agent`'s output.

import { type JsonObject, numberOf, objectOf } from "../../base/index.ts";
import { addTokens, anyTokens, noTokens, type Tokens, type UsageBody } from "../../events/index.ts";

export function clineUsage() {
  let requests: Tokens = noTokens; // of all threads
  let spawned = { input: 0, output: 0 }; // as the calls report it, with the cache in the input
  let subagents = 0;
  let isSilent = false; // some call did not report what its agent used
  let ended = 0;
  let cost = 0; // of the threads that ended, in US dollars
  let lastCost = 0;

  return {
    /** One request of any thread. */
    request(event: JsonObject, parent: string | undefined): UsageBody | undefined {
      const tokens = tokensOf(event);
      if (!anyTokens(tokens)) return undefined;
      requests = addTokens(requests, tokens);
      return { type: "usage", scope: "step", tokens, costUsd: numberOf(event["cost"]) || undefined, covers: "run", parent };
    },

    threadEnded(event: JsonObject): void {
      const usage = objectOf(event["usage"]);
      if (usage === undefined || !anyTokens(tokensOf(usage))) return;
      lastCost = numberOf(usage["totalCost"]) ?? 0;
      cost += lastCost;
      ended++;
    },

    spawnEnded(output: unknown): void {
      const usage = objectOf(objectOf(output)?.["usage"]);
      isSilent ||= usage === undefined;
      const [input, written] = [numberOf(usage?.["inputTokens"]) ?? 0, numberOf(usage?.["outputTokens"]) ?? 0];
      if (input + written === 0) return;
      spawned = { input: spawned.input + input, output: spawned.output + written };
      subagents++;
    },

    /** The run's total, of all threads if the requests account for exactly what the run and its calls report. */
    total(line: JsonObject): readonly UsageBody[] {
      const usage = objectOf(line["aggregateUsage"]) ?? objectOf(line["usage"]);
      const tokens = usage === undefined ? noTokens : tokensOf(usage);
      if (usage === undefined || !anyTokens(tokens)) return [];
      const own = numberOf(usage["totalCost"]) || undefined;
      const type = "usage";
      const scope = "total";
      if (subagents === 0) return [{ type, scope, tokens, costUsd: own, covers: isSilent ? "main" : "run" }];
      const isAll =
        !isSilent &&
        grossInput(requests) === grossInput(tokens) + spawned.input &&
        (requests.output ?? 0) === (tokens.output ?? 0) + spawned.output;
      if (!isAll) return [{ type, scope, tokens, costUsd: own, covers: "main" }];
      if (own === undefined) return [{ type, scope, tokens: requests, covers: "run" }];
      // The main thread is the last to end.
      if (ended === subagents + 1) return [{ type, scope, tokens: requests, costUsd: own + cost - lastCost, covers: "run" }];
      return [
        { type, scope, tokens: requests, covers: "run" },
        { type, scope, tokens: noTokens, costUsd: own, covers: "main" },
      ];
    },
  };
}

/**
 * `inputTokens` includes cache reads and writes. Output includes reasoning, which is reported nowhere else. Error runs report
 * only zeros: nothing was measured. A cost of zero may mean a model without a known price.
 */
function tokensOf(usage: JsonObject): Tokens {
  const cacheRead = numberOf(usage["cacheReadTokens"]) ?? null;
  const cacheWrite = numberOf(usage["cacheWriteTokens"]) ?? null;
  const input = numberOf(usage["inputTokens"]);
  return {
    input: input === undefined ? null : Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    cacheRead,
    cacheWrite,
    output: numberOf(usage["outputTokens"]) ?? null,
    reasoning: null,
  };
}

function grossInput({ input, cacheRead, cacheWrite }: Tokens): number {
  return (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0);
}
