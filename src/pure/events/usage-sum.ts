import { type Covers, lesser, type Used } from "./coverage.ts";
import type { EventBody, UsageBody } from "./event.ts";
import { addTokens, noTokens, type Tokens, tokenClasses } from "./tokens.ts";

/** Adds up `usage` events: a total replaces earlier ones, a step is added. Tokens and cost may cover different parts of the run. */
export function usageSum() {
  let tokens: Tokens = noTokens;
  let costUsd: number | null = null;
  let tokensReach: Reach | undefined;
  let costReach: Reach | undefined;
  let hasSubagents = false;
  let isSettled = false; // the agent has reported its result
  let isCut = false;

  function add(usage: UsageBody): void {
    const isTotal = usage.scope === "total";
    if (isAnyKnown(usage.tokens)) {
      tokens = isTotal ? usage.tokens : addTokens(tokens, usage.tokens);
      tokensReach = reachOf(usage, isTotal ? undefined : tokensReach);
    }
    if (usage.costUsd !== undefined) {
      costUsd = isTotal ? usage.costUsd : (costUsd ?? 0) + usage.costUsd;
      costReach = reachOf(usage, isTotal ? undefined : costReach);
    }
  }

  /** Undefined if the numbers are the whole run's, or there are none. */
  function partOf(reach: Reach | undefined): Reach | undefined {
    if (reach === undefined) return undefined;
    const complete = reach.complete && !isCut;
    const isWhole = complete && (reach.covers === "run" || (reach.covers === "main" && !hasSubagents));
    return isWhole ? undefined : { covers: reach.covers, complete };
  }

  return {
    see(body: EventBody): void {
      if (body.type === "usage") add(body);
      else if (body.type === "subagent-start" || body.type === "subagent-end") hasSubagents = true;
      else if (body.type === "result") isSettled = body.pending !== true;
      else if (body.type === "run-end") isCut = !isSettled && body.status !== "completed";
    },
    /** The numbers so far, whatever they cover. */
    get tokens(): Tokens {
      return tokens;
    },
    get costUsd(): number | null {
      return costUsd;
    },
    /** What `tokens` and `costUsd` cover of the run so far; undefined for all of it. */
    get tokensPart(): Reach | undefined {
      return partOf(tokensReach);
    },
    get costPart(): Reach | undefined {
      return partOf(costReach);
    },
    used(): Used {
      const [part, costPart] = [partOf(tokensReach), partOf(costReach)];
      return {
        usage: part === undefined ? tokens : noTokens,
        costUsd: costPart === undefined ? costUsd : null,
        ...(part && { partialUsage: { ...part, tokens } }),
        ...(costPart && costUsd !== null && { partialCost: { ...costPart, costUsd } }),
      };
    },
  };
}

type Reach = { readonly covers: Covers; readonly complete: boolean };

/** An event of an earlier version does not say what it covers. */
function reachOf({ covers = "main", incomplete }: UsageBody, before: Reach | undefined): Reach {
  const complete = incomplete !== true;
  return before === undefined ? { covers, complete } : { covers: lesser(before.covers, covers), complete: before.complete && complete };
}

function isAnyKnown(tokens: Tokens): boolean {
  return tokenClasses.some((name) => tokens[name] !== null);
}
