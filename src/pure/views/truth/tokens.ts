import { type Tokens, tokenClasses } from "../../events/index.ts";
import type { Account } from "./account.ts";
import { type Findings, side } from "./finding.ts";
import type { Finding } from "./schema.ts";

/** Compares the agent's reported usage with the model's ledger. Only classes that the agent reports are compared. */
export function compareTokens({ ledger, tokens, isPartial, usageSeq }: Account): Findings {
  if (ledger === undefined) return unobservable("the model's ledger was not recorded");
  const { requests, tokens: charged, problem } = ledger.body;
  if (requests === null) return unobservable(problem ?? "the model's ledger could not be read");
  if (isPartial) return unobservable("the agent reported the token counts of a part of the run only");
  const reported = tokenClasses.filter((name) => tokens[name] !== null);
  if (reported.length === 0) return unobservable("the agent reported no token counts");
  const wrong = differingTokens(tokens, charged);
  if (wrong.length === 0) return { findings: [], unobservable: [] };
  const counts = (of: Tokens) => wrong.map((name) => `${name} ${of[name] ?? 0}`).join(", ");
  const finding: Finding = {
    rule: "tokens-differ",
    message: `The model's ledger has different counts for ${wrong.join(", ")}.`,
    declared: side(counts(tokens), usageSeq === 0 ? [] : [usageSeq]),
    observed: side(`${counts(charged)}, in ${requests} requests`, [ledger.seq]),
  };
  return { findings: [finding], unobservable: [] };
}

/** The reported classes whose counts are not those of the model. */
export function differingTokens(reported: Tokens, charged: Tokens): readonly (keyof Tokens)[] {
  return tokenClasses.filter((name) => reported[name] !== null && !fits(name, reported, charged));
}

/** An agent that does not report a class separately may include it in another, so both sums are accepted. */
function fits(name: keyof Tokens, reported: Tokens, charged: Tokens): boolean {
  const own = charged[name] ?? 0;
  const apart = name === "input" ? (["cacheRead", "cacheWrite"] as const) : name === "output" ? (["reasoning"] as const) : [];
  const joined = apart.filter((other) => reported[other] === null).reduce((sum, other) => sum + (charged[other] ?? 0), own);
  return reported[name] === own || reported[name] === joined;
}

function unobservable(reason: string): Findings {
  return { findings: [], unobservable: [{ rule: "tokens-differ", reason }] };
}
