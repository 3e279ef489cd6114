import type { Operation } from "../events/index.ts";
import type { Argument } from "./argument.ts";
import type { Directory } from "./directory.ts";
import type { Lines } from "./lines.ts";
import type { Input } from "./redirections.ts";

/** A call of one program, after removing wrappers and redirections. */
export interface Call {
  readonly args: readonly Argument[];
  readonly directory: Directory;
  readonly input: Input | undefined;
  /** It stands after a `|` and reads the output before it. */
  readonly piped: boolean;
}

/** What a call does. Without operations it only passes or produces text, which a redirection may still write to a file. */
export interface Effect {
  readonly operations: readonly Operation[];
  /** The lines of its one input that it passes on in order. */
  readonly lines?: Lines;
}

/** Reads calls of one program. `undefined`: not certainly a file operation. Must not throw. */
export type Reader = (call: Call) => Effect | undefined;

export function effectOf(operations: readonly Operation[], lines?: Lines): Effect {
  return lines === undefined ? { operations } : { operations, lines };
}

/**
 * Operands without `/dev/null`. `undefined` if one does not name a file: `-` is standard input, `/dev/zero` a device, and only the shell
 * knows what a variable or a glob becomes.
 */
export function fileOperands(operands: readonly Argument[]): readonly Argument[] | undefined {
  const files = operands.filter(({ value }) => value !== "/dev/null");
  return files.every(isNamed) ? files : undefined;
}

function isNamed({ value, variable, splits }: Argument): boolean {
  return !variable && !splits && value !== "-" && value !== "" && !value.startsWith("/dev/");
}
