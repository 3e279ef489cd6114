import type { Call, Effect } from "../call.ts";
import { changeDirectory } from "../directory.ts";
import { optionTable, type ParsedOptions, parseOptions } from "../options.ts";
import { NO_MATCH, type Pattern, patternOf, searchPaths } from "./search.ts";

const GIT_GREP = optionTable({
  values: "e threads",
  counts: "A B C m after-context before-context context max-count max-depth",
  refused: "f O open-files-in-pager and or not",
});

/** Only `git grep` of all git commands; `-C` acts like `cd`. */
export function git(call: Call): Effect | undefined {
  let { args, directory } = call;
  while (args[0]?.text.startsWith("-")) {
    const hasValue = args[0].text === "-C" && args.length > 1;
    if (!hasValue && args[0].text !== "--no-pager") return undefined;
    if (hasValue) directory = changeDirectory(args.slice(1, 2), directory);
    args = args.slice(hasValue ? 2 : 1);
  }
  if (args[0]?.text !== "grep") return undefined;
  const parsed = parseOptions(args.slice(1), GIT_GREP);
  const pattern = parsed && patternOf(parsed);
  if (pattern === undefined || namesRevision(parsed as ParsedOptions, pattern)) return undefined;
  const paths = pattern.paths.filter(({ value }) => !/^:(?:[!^]|\(exclude\))/.test(value));
  if (paths.some(({ value }) => value.startsWith(":"))) return undefined;
  return searchPaths({ ...call, directory }, pattern.queries, paths, NO_MATCH);
}

/** `git grep x HEAD~3`, `git grep x v1.0 -- src`: does not search the current files. */
function namesRevision({ operands, beforeDashes }: ParsedOptions, { paths }: Pattern): boolean {
  const behindDashes = operands.length - beforeDashes;
  if (behindDashes > 0) return paths.length > behindDashes;
  return paths.some(({ value }) => /^(?:HEAD|main|master|origin\/.*)$|[~^@]/.test(value));
}
