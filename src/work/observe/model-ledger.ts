import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { decode } from "../../host/recording/index.ts";
import { errorWords, HarnessError, isObject, parseObject, spelled } from "../../pure/base/index.ts";
import { addTokens, type ModelLedgerBody, noTokens, type Tokens, tokenClasses } from "../../pure/events/index.ts";
import { lineSplitter } from "../../pure/pipeline/index.ts";

const PIECE = 64 * 1024;

/** A request of the run that the model charged for, as it stands in `LEDGER_FILE`. */
export interface Charge {
  readonly kind: string;
  readonly usage: Tokens | null;
}

export interface ReadLedger {
  readonly body: ModelLedgerBody;
  /** Empty if the ledger could not be read. */
  readonly charges: readonly Charge[];
}

/** Next to the events: the part of the ledger from which the model's usage can be computed again, or the problem with it. */
export const LEDGER_FILE = "artifacts/model_ledger.jsonl";

/**
 * The file that `harness model --ledger` writes. Everything in it now is from before the run; everything added until `read` counts for
 * the run, including requests from other clients of the same model. Throws if the file does not exist.
 */
export function modelLedger(path: string): { read(): ReadLedger } {
  const before = attempt(path, (file) => fstatSync(file).size);
  return {
    read() {
      try {
        const charges = attempt(path, (file) => chargesFrom(file, before));
        return { body: { type: "model-ledger", requests: charges.length, tokens: chargedTokens(charges) }, charges };
      } catch (error) {
        return { body: { type: "model-ledger", requests: null, tokens: noTokens, problem: errorWords(error) }, charges: [] };
      }
    },
  };
}

export function chargedTokens(charges: readonly Charge[]): Tokens {
  return charges.reduce((sum, { usage }) => addTokens(sum, usage ?? noTokens), noTokens);
}

function chargesFrom(file: number, from: number): readonly Charge[] {
  const splitter = lineSplitter(decode);
  const bytes = Buffer.alloc(PIECE);
  const charges: Charge[] = [];
  for (let at = from; ; ) {
    const length = readSync(file, bytes, 0, PIECE, at);
    const isEnd = length === 0;
    for (const { text } of isEnd ? splitter.end() : splitter.push(bytes.subarray(0, length))) {
      const entry = parseObject(text);
      if (entry === undefined || entry["kind"] === "other") continue;
      charges.push({ kind: spelled(entry["kind"]), usage: tokensIn(entry["usage"]) });
    }
    if (isEnd) return charges;
    at += length;
  }
}

function tokensIn(usage: unknown): Tokens | null {
  if (!isObject(usage)) return null;
  const numbers = tokenClasses.map((name) => [name, typeof usage[name] === "number" ? usage[name] : null]);
  return Object.fromEntries(numbers) as Record<keyof Tokens, number | null>;
}

function attempt<Result>(path: string, action: (file: number) => Result): Result {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    return action(file);
  } catch (error) {
    throw new HarnessError("input", `Cannot read the ledger ${path}: ${errorWords(error)}.`, { option: "ledger" });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
