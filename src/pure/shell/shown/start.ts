import type { Argument } from "../argument.ts";

/** A call of one program. */
export interface Called {
  readonly name: string;
  readonly args: readonly Argument[];
  /** What it reads: the text of a here-document, or what only shows when it runs. */
  readonly input?: { readonly text: string } | "unknown";
}

/** What a call starts in turn. */
export type Start =
  /** Another program with its arguments. */
  | { readonly argv: readonly Argument[] }
  /** A text for a shell. */
  | { readonly script: string }
  /** Something that the text does not show. */
  | { readonly hidden: string };

/** `undefined`: it starts nothing, and is judged by its own effects. */
export type Starter = (call: Called) => readonly Start[] | undefined;

export function hides(reason: string): readonly Start[] {
  return [{ hidden: reason }];
}
