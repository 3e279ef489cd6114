import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { decode } from "../../host/recording/index.ts";
import { errorWords, HarnessError, isObject, parseObject } from "../../pure/base/index.ts";
import { addTokens, type ModelLedgerBody, noTokens, type Tokens, tokenClasses } from "../../pure/events/index.ts";
import { lineSplitter } from "../../pure/pipeline/index.ts";

const PIECE = 64 * 1024;

/**
 * The file that `harness model --ledger` writes. Everything in it now is from before the run; everything added until `read` counts for
 * the run, including requests from other clients of the same model. Throws if the file does not exist.
 */
export function modelLedger(path: string): { read(): ModelLedgerBody } {
  const before = attempt(path, (file) => fstatSync(file).size);
  return {
    read() {
      try {
        return attempt(path, (file) => sumFrom(file, before));
      } catch (error) {
        return { type: "model-ledger", requests: null, tokens: noTokens, problem: errorWords(error) };
      }
    },
  };
}

function sumFrom(file: number, from: number): ModelLedgerBody {
  const splitter = lineSplitter(decode);
  const bytes = Buffer.alloc(PIECE);
  let requests = 0;
  let tokens: Tokens = noTokens;
  for (let at = from; ; ) {
    const length = readSync(file, bytes, 0, PIECE, at);
    const isEnd = length === 0;
    for (const { text } of isEnd ? splitter.end() : splitter.push(bytes.subarray(0, length))) {
      const entry = parseObject(text);
      if (entry === undefined || entry["kind"] === "other") continue;
      requests++;
      tokens = addTokens(tokens, tokensIn(entry["usage"]));
    }
    if (isEnd) return { type: "model-ledger", requests, tokens };
    at += length;
  }
}

function tokensIn(usage: unknown): Tokens {
  if (!isObject(usage)) return noTokens;
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
