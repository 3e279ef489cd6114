import { InvalidArgumentError } from "commander";
import { HarnessError } from "../../../src/pure/base/index.ts";
import type { Form } from "./inputs.ts";

/** A reader of input that another program or person wrote. */
export interface Parser {
  readonly name: string;
  readonly form: Form;
  /** The files of `src` whose reading this tries. `test/laws/fuzz/fuzz.test.ts` checks that none is missing. */
  readonly reads: readonly string[];
  /** Valid inputs, from which the others are made. For a reader of bytes: one character per byte. */
  readonly valid: () => readonly string[] | Promise<readonly string[]>;
  /** A stream is read piece by piece: a generator returns after each, and other work can be done in between. */
  readonly read: (input: string) => unknown;
  /** A reader that reports to a model instead of a person: it may throw an `Error` with a sentence. */
  readonly isForModel?: true;
}

/** A sentence for people that repeats the whole input is not one. */
const LONGEST_SENTENCE = 20_000;

/** Reads one input. Undefined if all is well; otherwise what went wrong. Calls `onPiece` after each piece of a stream. */
export async function problemWith(parser: Parser, input: string, onPiece?: () => void): Promise<string | undefined> {
  try {
    const result = parser.read(input);
    if (result instanceof Promise) await result;
    if (isGenerator(result)) for (const _ of result) onPiece?.();
    return undefined;
  } catch (error) {
    return isSentence(error, parser) ? undefined : shown(error);
  }
}

function isGenerator(value: unknown): value is Generator {
  return typeof value === "object" && value !== null && "next" in value && Symbol.iterator in value;
}

function isSentence(error: unknown, { isForModel }: Parser): boolean {
  const isOurs =
    error instanceof HarnessError ||
    error instanceof InvalidArgumentError ||
    (isForModel === true && error instanceof Error && error.constructor === Error);
  return isOurs && error.message !== "" && error.message.length <= LONGEST_SENTENCE;
}

function shown(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${String(error).slice(0, 200)}`;
  if (error.message.length > LONGEST_SENTENCE) return `an error of ${error.message.length} characters: ${error.message.slice(0, 200)}`;
  return String(error.stack).slice(0, 1500);
}

export function bytesOf(input: string): Buffer {
  return Buffer.from(input, "latin1");
}
