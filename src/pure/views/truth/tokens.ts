import { type Tokens, tokenClasses } from "../../events/index.ts";
import type { Account } from "./account.ts";
import { type Findings, side } from "./finding.ts";
import type { Finding } from "./schema.ts";

/** What the agent says it used, against what the model wrote down. Only classes that the agent tells are compared. */
export function compareTokens({ ledger, tokens, usageSeq }: Account): Findings {
  if (ledger === undefined) return unobservable("the model's ledger was not recorded");
  const { requests, tokens: charged, problem } = ledger.body;
  if (requests === null) return unobservable(problem ?? "the model's ledger could not be read");
  const told = tokenClasses.filter((name) => tokens[name] !== null);
  if (told.length === 0) return unobservable("the agent told no token counts");
  const wrong = told.filter((name) => !fits(name, tokens, charged));
  if (wrong.length === 0) return { findings: [], unobservable: [] };
  const counts = (of: Tokens) => wrong.map((name) => `${name} ${of[name] ?? 0}`).join(", ");
  const finding: Finding = {
    rule: "tokens-differ",
    message: `The model's ledger says otherwise of ${wrong.join(", ")}.`,
    declared: side(counts(tokens), usageSeq === 0 ? [] : [usageSeq]),
    observed: side(`${counts(charged)}, in ${requests} requests`, [ledger.seq]),
  };
  return { findings: [finding], unobservable: [] };
}

/** An agent that does not tell a class apart may count it with another: both sums are its right. */
function fits(name: keyof Tokens, told: Tokens, charged: Tokens): boolean {
  const own = charged[name] ?? 0;
  const apart = name === "input" ? (["cacheRead", "cacheWrite"] as const) : name === "output" ? (["reasoning"] as const) : [];
  const joined = apart.filter((other) => told[other] === null).reduce((sum, other) => sum + (charged[other] ?? 0), own);
  return told[name] === own || told[name] === joined;
}

function unobservable(reason: string): Findings {
  return { findings: [], unobservable: [{ rule: "tokens-differ", reason }] };
}
