import type { Argument, FoundFiles } from "../argument.ts";

/** A call of one program. */
export interface Called {
  readonly name: string;
  readonly args: readonly Argument[];
  /** What it reads: the text of a here-document, the names that another program finds, or what only shows when it runs. */
  readonly input?: { readonly text: string } | { readonly found: FoundFiles } | "unknown";
}

/** What a call starts in turn. */
export type Start =
  /** Another program with its arguments; `isAway`: in a directory that is not known. */
  | { readonly argv: readonly Argument[]; readonly isAway?: boolean }
  /** A text for a shell; `isHere`: for this shell, so that it can change directory and variables; `isPosix`: it may be another than bash. */
  | { readonly script: string; readonly isHere?: boolean; readonly isLater?: boolean; readonly isPosix?: boolean }
  /** Something that the text does not show. */
  | { readonly hidden: string };

/** `undefined`: it starts nothing, and is judged by its own effects. */
export type Starter = (call: Called) => readonly Start[] | undefined;

export function hides(reason: string): readonly Start[] {
  return [{ hidden: reason }];
}
