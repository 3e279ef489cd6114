import type { SearchOperation } from "../../events/index.ts";
import type { Argument } from "../argument.ts";
import { type Call, type Effect, effectOf, fileOperands } from "../call.ts";
import { locate } from "../directory.ts";
import { hasOption, optionTable, type ParsedOptions, parseOptions, valuesOf } from "../options.ts";
import { listPaths } from "./list.ts";

/** The exit code of grep, ripgrep and similar programs when nothing matched. */
export const NO_MATCH = 1;

/** One search per path and query. Without a path: the target of `<`, else the shell's directory. */
export function searchPaths(call: Call, queries: readonly string[], operands: readonly Argument[], emptyExit?: number): Effect | undefined {
  const paths = fileOperands(operands);
  if (paths === undefined || call.piped) return undefined;
  if (call.input !== undefined && ("text" in call.input || operands.length > 0)) return undefined;
  const scopes = paths.map((path) => locate(path, call.directory));
  if (call.input !== undefined) scopes.push(locate(call.input.file, call.directory));
  else if (operands.length === 0 && typeof call.directory === "string") scopes.push(call.directory);
  const searches = queries.map(
    (query): SearchOperation => (emptyExit === undefined ? { kind: "search", query } : { kind: "search", query, emptyExit }),
  );
  if (operands.length === 0 && scopes.length === 0) return effectOf(searches);
  return effectOf(scopes.flatMap((path) => searches.map((search) => ({ ...search, path }))));
}

export interface Pattern {
  readonly queries: readonly string[];
  readonly paths: readonly Argument[];
}

/** The patterns: the first operand, or the values of `-e`, each as written. */
export function patternOf(parsed: ParsedOptions): Pattern | undefined {
  const given = valuesOf(parsed, "e", "regexp");
  const patterns = given.length > 0 ? given : parsed.operands.slice(0, 1);
  // Only the shell knows what a variable becomes. An unquoted one may even be options, or several words.
  if (patterns.length === 0 || patterns.some((pattern) => pattern.variable)) return undefined;
  const paths = given.length > 0 ? parsed.operands : parsed.operands.slice(1);
  return { queries: patterns.map(({ value }) => value), paths };
}

// `-f` reads the patterns from a file, so the query is unknown. `--pre` runs a program on every file.
const RG = optionTable({
  values:
    "E T e g j r t encoding type-not regexp glob iglob threads replace type color colors context-separator dfa-size-limit engine " +
    "field-context-separator field-match-separator hyperlink-format ignore-file max-filesize path-separator pre-glob " +
    "regex-size-limit sort sortr type-add type-clear",
  counts: "A B C M d m after-context before-context context max-columns max-depth maxdepth max-count",
  refused: "f file pre hostname-bin generate type-list pcre2-version h V",
});

export function rg(call: Call): Effect | undefined {
  const parsed = parseOptions(call.args, RG);
  if (parsed === undefined) return undefined;
  if (hasOption(parsed, "files")) return listedFiles(call, parsed);
  const pattern = patternOf(parsed);
  return pattern && searchPaths(call, pattern.queries, pattern.paths, NO_MATCH);
}

/** `rg --files` prints names: a search if a glob is given, else a listing. A glob with `!` only excludes files. */
function listedFiles(call: Call, parsed: ParsedOptions): Effect | undefined {
  const globs = valuesOf(parsed, "g", "glob", "iglob").filter(({ value }) => !value.startsWith("!"));
  if (globs.length === 0) return listPaths(call, parsed.operands);
  return searchPaths(
    call,
    globs.map(({ value }) => value),
    parsed.operands,
    NO_MATCH,
  );
}

const GREP = optionTable({
  values: "D d e binary-files devices directories regexp include exclude exclude-from exclude-dir label group-separator",
  counts: "A B C m after-context before-context context max-count",
  refused: "f file V",
});

/** Without a path and without -r it filters its input and searches no files. */
export function grep(call: Call): Effect | undefined {
  const parsed = parseOptions(call.args, GREP);
  const pattern = parsed && patternOf(parsed);
  if (pattern === undefined) return undefined;
  if (pattern.paths.length === 0 && call.input === undefined && !isRecursive(parsed)) return undefined;
  return searchPaths(call, pattern.queries, pattern.paths, NO_MATCH);
}

function isRecursive(parsed: ParsedOptions | undefined): boolean {
  if (parsed === undefined) return false;
  if (hasOption(parsed, "r", "R", "recursive", "dereference-recursive")) return true;
  return valuesOf(parsed, "d", "directories").some(({ value }) => value === "recurse");
}

const AG = optionTable({
  values: "G p file-search-regex ignore ignore-dir path-to-ignore",
  counts: "A B C m after before context max-count depth workers W width",
  refused: "g pager V list-file-types",
});

export function ag(call: Call): Effect | undefined {
  const parsed = parseOptions(call.args, AG);
  const pattern = parsed && patternOf(parsed);
  return pattern && searchPaths(call, pattern.queries, pattern.paths, NO_MATCH);
}
