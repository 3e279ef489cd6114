import type { Argument } from "../argument.ts";
import type { Call, Effect } from "../call.ts";
import { optionTable, parseOptions } from "../options.ts";
import { listPaths } from "./list.ts";
import { searchPaths } from "./search.ts";

/** These run programs, delete, write, or (the last ones) move where the paths are given. */
const ACTS = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from|D|O\d)$/;
const NAMES = /^-(?:i?name|i?path|i?wholename|i?lname|i?regex)$/;

/** Paths come first, the expression after them. */
export function find(call: Call): Effect | undefined {
  let from = 0;
  while (/^-[HLP]$/.test(call.args[from]?.value ?? "")) from++;
  let to = from;
  while (to < call.args.length && !/^(?:-.|[()!,]$)/.test(call.args[to]?.value ?? "")) to++;
  const expression = call.args.slice(to);
  if (expression.some(({ value, variable }) => variable || ACTS.test(value))) return undefined;
  return searchPaths(call, [queryOf(expression)], call.args.slice(from, to));
}

/** The name searched for, if there is exactly one; else the expression as written, `-print` if it is empty, like find. */
function queryOf(expression: readonly Argument[]): string {
  const words = expression.map(({ value }) => value);
  const names = words.filter((_, i) => NAMES.test(words[i - 1] ?? "") && !excludes(words, i));
  if (names.length === 1) return names[0] as string;
  return words.join(" ") || "-print";
}

/** `-not -path X`, `! -name X` and `-path X -prune` exclude places. */
function excludes(words: readonly string[], i: number): boolean {
  return words[i - 2] === "!" || words[i - 2] === "-not" || words[i + 1] === "-prune";
}

const FD = optionTable({
  values:
    "d t e S o E c j depth max-depth min-depth exact-depth type extension size changed-within changed-before newer older owner " +
    "exclude ignore-file color threads path-separator and format max-buffer-time",
  counts: "max-results",
  refused: "x X exec exec-batch C base-directory search-path batch-size gen-completions h V",
});

/** `fd pattern path…`. Without a pattern its options are the query; without either it lists. */
export function fd(call: Call): Effect | undefined {
  const parsed = parseOptions(call.args, FD);
  if (parsed === undefined) return undefined;
  const [pattern, ...paths] = parsed.operands;
  if (pattern?.variable) return undefined;
  if (pattern !== undefined) return searchPaths(call, [pattern.value], paths);
  if (call.args.length === 0) return listPaths(call, []);
  return searchPaths(call, [call.args.map(({ value }) => value).join(" ")], []);
}
