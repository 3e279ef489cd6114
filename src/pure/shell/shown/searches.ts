import type { Argument, FoundFiles } from "../argument.ts";
import { isKnown, type Parsed, plain } from "./arguments.ts";
import { type Effect, known, type Places } from "./effect.ts";

const GREP = `-0123456789abcEFGhHiIlLnoPqrRsTUvwxyzZ -eABCmdD: -f< --regexp: --file< --include: --exclude: --exclude-dir: --max-count: --color
  --colour --recursive --dereference-recursive --line-number --ignore-case --no-ignore-case --files-with-matches --files-without-match --count
  --only-matching --quiet --silent --word-regexp --line-regexp --fixed-strings --extended-regexp --perl-regexp --basic-regexp --invert-match
  --no-filename --with-filename --no-messages --context: --after-context: --before-context: --binary-files: --text --null --null-data
  --initial-tab --line-buffered --byte-offset --label: --directories: --devices:`;

const RG = `-0123456789abcFHhiIlLnNopPqsSuUvVwxz. -eABCmMgtTjdEr: -f< --regexp: --file< --glob: --iglob: --type: --type-not: --max-count:
  --max-depth: --max-columns: --sort: --sortr: --threads: --context: --after-context: --before-context: --color: --colors: --files --hidden
  --no-ignore --no-ignore-vcs --line-number --no-line-number --count --count-matches --files-with-matches --files-without-match --fixed-strings
  --ignore-case --smart-case --case-sensitive --word-regexp --multiline --multiline-dotall --only-matching --replace: --json --vimgrep --heading
  --no-heading --stats --follow --pcre2 --quiet --invert-match --null --type-list --no-messages --trim --pretty --column --no-filename
  --with-filename --passthru --text --unrestricted --no-config --max-filesize: --encoding: --nocolor --ackmate`;

const FD = `-0aFgHiIluLpsqd1 -etdESoj: --extension: --type: --max-depth: --min-depth: --exclude: --hidden --no-ignore --glob --fixed-strings
  --absolute-path --follow --full-path --case-sensitive --ignore-case --size: --changed-within: --changed-before: --color: --print0`;

/** The names of files of a type, for ripgrep. */
const TYPES: Readonly<Record<string, string>> = {
  py: "*.py*",
  rust: "*.rs",
  go: "*.go",
  json: "*.json*",
  css: "*.css",
  html: "*.*htm*",
  java: "*.j*",
};

export const searches: readonly (readonly [string, Effect])[] = [
  ...known("grep egrep fgrep zgrep", GREP, (given, to) => {
    const isDeep =
      given.has("r", "R", "recursive", "dereference-recursive") ||
      given.valuesOf("d", "directories").some(({ value }) => value === "recurse");
    searchedFiles(given, to, isDeep, given.valuesOf("include"), given.has("R", "dereference-recursive"));
  }),
  ...known("rg ag", RG, (given, to) => {
    const globs = given.valuesOf("g", "glob").filter(({ value }) => !value.startsWith("!"));
    const types = given.valuesOf("t", "type").map(({ value }) => plain(TYPES[value] ?? "*"));
    if (given.has("files", "type-list")) for (const operand of given.operands) to.reads(operand);
    else searchedFiles(given, to, true, [...globs, ...types], given.has("L", "follow", "f"));
  }),
  ...known("fd fdfind", FD, ({ operands }, to) => {
    for (const operand of operands.slice(1)) to.reads(operand);
  }),
  ["find", searched],
  ["gfind", searched],
];

/** The first operand is a pattern, unless options give one. */
function searchedFiles(given: Parsed, to: Places, isDeep: boolean, names: readonly Argument[], follows: boolean): void {
  const files = given.operands.slice(given.has("e", "regexp", "f", "file") ? 0 : 1);
  const [only, ...more] = names;
  const named =
    only !== undefined && more.length === 0 && !only.variable && !only.runs && /^[^/{}]+$/.test(only.value) ? { named: only.value } : {};
  for (const file of files.length === 0 && isDeep ? [plain(".")] : files)
    to.reads(file, isDeep ? { tree: true, follows, descends: follows, ...named } : {});
}

/** Tests and actions of find that take no argument, one argument, or a file. */
const TESTS =
  /^-(?:a|and|o|or|not|d|depth|follow|mount|xdev|print|print0|prune|quit|empty|executable|readable|writable|nouser|nogroup|ls|true|false|delete|daystart|ignore_readdir_race)$/;
const VALUED =
  /^-(?:name|iname|path|ipath|wholename|iwholename|regex|iregex|regextype|lname|ilname|type|xtype|size|mtime|atime|ctime|mmin|amin|cmin|perm|user|group|uid|gid|links|inum|maxdepth|mindepth|fstype|printf|used)$/;
const RUNS = /^-(?:exec|execdir|ok|okdir)$/;
const ACTS = /^-(?:delete|print|print0|printf|fprint|fprint0|fprintf|ls|fls)$/;
const FILES = /^-(?:newer|anewer|cnewer|samefile|newer[aBcmt][aBcmt])$/;

function searched(args: readonly Argument[], to: Places): void {
  const { starts, named } = findsIn(args);
  for (const start of starts) to.reads(start);
  for (let at = startsIn(args); at < args.length; at++) {
    const argument = args[at] as Argument;
    const { value } = argument;
    if (value === "-delete")
      for (const start of starts)
        to.writes(start, { tree: true, follows: isFollowing(args), descends: isFollowing(args), ...(named !== undefined && { named }) });
    if (/^-(?:fprint|fprint0|fls|fprintf)$/.test(value)) to.writes(args[++at] ?? plain("."), {});
    else if (FILES.test(value)) to.reads(args[++at] ?? plain("."));
    else if (RUNS.test(value)) at = endOf(args, at);
    else if (VALUED.test(value)) at++;
    else if (!isKnown(argument) || !(TESTS.test(value) || /^[()!,]$/.test(value) || /^\d+$/.test(value)))
      to.hides(`what find does with ${argument.text} is not known`);
  }
}

function startsIn(args: readonly Argument[]): number {
  const first = args.findIndex(({ value }) => /^(?:-[^HLP]|[()!,]$)/.test(value));
  return first === -1 ? args.length : first;
}

/** The index of the end of a command after `-exec`. */
export function endOf(args: readonly Argument[], from: number): number {
  const end = args.findIndex(({ value }, index) => index > from && (value === ";" || (value === "+" && args[index - 1]?.value === "{}")));
  return end === -1 ? args.length : end;
}

/** Its tests and actions, without the arguments of the programs that it runs. */
function expressionIn(args: readonly Argument[]): readonly Argument[] {
  const found: Argument[] = [];
  for (let at = startsIn(args); at < args.length; at++) {
    const argument = args[at] as Argument;
    found.push(argument);
    if (RUNS.test(argument.value)) at = endOf(args, at);
  }
  return found;
}

function isFollowing(args: readonly Argument[]): boolean {
  return args.some(({ value }) => value === "-follow" || /^-[HP]*L/.test(value));
}

/** The files that find finds: those in its starts, with the one name that it asks for before it acts. */
export function findsIn(args: readonly Argument[]): FoundFiles {
  const given = args.slice(0, startsIn(args)).filter(({ value }) => !/^-[HLP]+$/.test(value));
  const all = expressionIn(args);
  const first = all.findIndex(({ value }) => RUNS.test(value) || ACTS.test(value));
  const before = first === -1 ? all : all.slice(0, first);
  const isOther = all.some(({ value }) => /^(?:!|-not|-o|-or|,)$/.test(value));
  const after = (test: string) => before.filter((argument, index) => before[index - 1]?.value === test && isKnown(argument));
  const names = isOther ? [] : after("-name");
  const isFile = !isOther && after("-type").some(({ value }) => value === "f");
  return {
    starts: given.length > 0 ? given : [plain(".")],
    follows: isFollowing(args) || !isFile,
    descends: isFollowing(args),
    ...(names.length === 1 && { named: (names[0] as Argument).value }),
  };
}
