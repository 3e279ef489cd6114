import { flag, named, number, object, oneOf, optional, type Static, text, union } from "../base/index.ts";

const lines = { startLine: optional(number), endLine: optional(number) };
const search = object({
  kind: oneOf("search"),
  query: text,
  path: optional(text),
  /** 1 for grep and ripgrep. */
  emptyExit: optional(number, "The exit code that means: it ran and matched nothing"),
});

/** One effect of a tool call. A call may have several: a patch of five files, `cat a b`. */
export const operation = named(
  union("kind", [
    object({ kind: oneOf("read", "write"), path: text, ...lines }),
    search,
    object({ kind: oneOf("list"), path: optional(text) }),
    object({ kind: oneOf("command"), command: text, workingDirectory: optional(text) }),
    object({ kind: oneOf("skill"), path: text, skillName: optional(text) }),
  ]),
  "Operation",
  "One effect of a tool call",
);
export type Operation = Static<typeof operation>;
export type SearchOperation = Static<typeof search>;

/** How a call ended, as far as the agent reports it. */
export const ending = object({ success: optional(flag), exitCode: optional(number) });
export type Ending = Static<typeof ending>;

/**
 * Whether an operation succeeded, given how its call ended. A search that matched nothing succeeded. If a call with several operations
 * failed, its exit code does not say which one did.
 */
export function succeeded(operation: Operation, ending: Ending, all: readonly Operation[]): boolean | undefined {
  if (ending.exitCode !== undefined && all.every((each) => each.kind === "search" && each.emptyExit === ending.exitCode)) return true;
  const isShared = all.length > 1 && ending.success === false && ending.exitCode !== undefined;
  return isShared && operation.kind !== "command" ? undefined : ending.success;
}
