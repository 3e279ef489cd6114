import {
  exactly,
  fits,
  HarnessError,
  isObject,
  type JsonObject,
  list,
  nullable,
  object,
  parseJsonLines,
  text,
} from "../../../pure/base/index.ts";
import { type Tokens, tokenClasses, tokens } from "../../../pure/events/index.ts";
import { differingTokens } from "../../../pure/views/index.ts";
import { type Charge, chargedTokens, LEDGER_FILE } from "../model-ledger.ts";
import { block, type Evidence } from "./evidence.ts";

const charges = list(exactly(object({ kind: text, usage: nullable(tokens) })));
const unread = exactly(object({ problem: text }));

/** How the usage that the events claim differs from what the model charged. Undefined without a ledger. Throws if its file is not ours. */
export function usageFlaw(captured: JsonObject, evidence: Evidence): string | undefined {
  const charged = chargedIn(evidence);
  const { usage } = block(captured, "model_output");
  if (charged === undefined || !isObject(usage)) return undefined;
  const claimed = Object.fromEntries(tokenClasses.map((name) => [name, usage[name] ?? null])) as unknown as Tokens;
  const [name] = differingTokens(claimed, charged);
  if (name === undefined) return undefined;
  return `model_output.usage.${name} is ${claimed[name]}; the model's ledger gives ${charged[name] ?? 0}`;
}

function chargedIn({ metadata, process, text: read }: Evidence): Tokens | undefined {
  const found = read(LEDGER_FILE);
  const isAsked = metadata["ledger"] === true;
  if (found === undefined && isAsked && process["late"] !== true) throw new HarnessError("input", `${LEDGER_FILE} is missing`);
  if (found === undefined) return undefined;
  const lines = linesOf(found);
  if (!isAsked || lines === undefined) throw new HarnessError("input", `${LEDGER_FILE} is not the ledger of this run`);
  return lines.length === 1 && fits(unread, lines[0]) ? undefined : chargedTokens(lines as readonly Charge[]);
}

function linesOf(found: string): readonly unknown[] | undefined {
  try {
    const lines = parseJsonLines(found);
    return fits(charges, lines) || (lines.length === 1 && fits(unread, lines[0])) ? lines : undefined;
  } catch {
    return undefined;
  }
}
