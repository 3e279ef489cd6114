import type { Operation } from "../events/index.ts";
import type { Argument } from "./argument.ts";
import type { Directory } from "./directory.ts";
import type { Lines } from "./lines.ts";
import type { Input } from "./redirections.ts";

/** One program being called, wrappers and redirections already taken off. */
export interface Call {
  readonly args: readonly Argument[];
  readonly directory: Directory;
  readonly input: Input | undefined;
  /** It stands behind a `|` and reads what comes before. */
  readonly piped: boolean;
}

/** What a call does. With no operation it only passes or produces text, which a redirection may still write to a file. */
export interface Effect {
  readonly operations: readonly Operation[];
  /** Which lines of its one input it passes on, when it passes lines on in order. */
  readonly lines?: Lines;
}

/** Knows one program. `undefined`: this call is not confidently a file operation. Must not throw. */
export type Reader = (call: Call) => Effect | undefined;

export function effectOf(operations: readonly Operation[], lines?: Lines): Effect {
  return lines === undefined ? { operations } : { operations, lines };
}

/** Operands without `/dev/null`. `undefined` where one names no file: `-` is standard input, `/dev/zero` a device. */
export function fileOperands(operands: readonly Argument[]): readonly Argument[] | undefined {
  const files = operands.filter(({ value }) => value !== "/dev/null");
  return files.every(({ value }) => value !== "-" && value !== "" && !value.startsWith("/dev/")) ? files : undefined;
}
