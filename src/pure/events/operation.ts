/** What a tool call does to the world. A call may do several things: a patch over five files, `cat a b`. */
export type Operation =
  | { readonly kind: "read"; readonly path: string; readonly startLine?: number; readonly endLine?: number }
  | { readonly kind: "write"; readonly path: string; readonly startLine?: number; readonly endLine?: number }
  | SearchOperation
  | { readonly kind: "list"; readonly path?: string }
  | { readonly kind: "command"; readonly command: string; readonly workingDirectory?: string }
  | { readonly kind: "skill"; readonly path: string; readonly skillName?: string };

export interface SearchOperation {
  readonly kind: "search";
  readonly query: string;
  readonly path?: string;
  /** The exit code that means "ran, and matched nothing": 1 for grep and ripgrep. */
  readonly emptyExit?: number;
}

/** How one call ended, as far as its agent tells. */
export interface Ending {
  readonly success?: boolean | undefined;
  readonly exitCode?: number | undefined;
}

/**
 * Whether an operation succeeded, given how its call ended. Searches that matched nothing still succeeded. Where one of
 * several operations failed, the exit code of the whole does not tell which.
 */
export function succeeded(operation: Operation, ending: Ending, all: readonly Operation[]): boolean | undefined {
  if (ending.exitCode !== undefined && all.every((each) => each.kind === "search" && each.emptyExit === ending.exitCode)) return true;
  const isShared = all.length > 1 && ending.success === false && ending.exitCode !== undefined;
  return isShared && operation.kind !== "command" ? undefined : ending.success;
}
