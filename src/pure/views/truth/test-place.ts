import { resolvePath } from "../../base/index.ts";
import type { CommandObservedBody } from "../../events/index.ts";
import { programsIn } from "../../shell/index.ts";
import type { Account } from "./account.ts";
import { isDocument, isOwn, nameOf } from "./places.ts";

/** Options that name the project whose tests run: `npm --prefix x test`, `make -C x`. */
const ELSEWHERE =
  /^(?:--prefix|-C|--dir|--cwd|--root|--rootDir|--rootdir|--directory|--project-dir|--start-directory|-s|-f|-w|--workspace|--manifest-path|--config|-c|--project)$/;

/** The place and the selection of a test run. */
interface Ran {
  /** From the workspace; undefined: outside it, or not known. */
  readonly place: string | undefined;
  /** The test files or folders that were selected; empty: all. */
  readonly targets: readonly string[];
  /** The kind of test files that such a program runs; undefined: a command of the project, such as `npm test`. */
  readonly kind: string | undefined;
  /** What a command of the project was seen to run; empty: not seen. */
  readonly inside: readonly string[];
}

/** Programs that run tests of one language, by the ending of its files. */
const LANGUAGES: readonly (readonly [program: RegExp, ending: string])[] = [
  [/^(?:node|tsx|ts-node|bun|deno|jest|vitest|mocha|ava|tap|tape|jasmine|karma|cypress|playwright|testcafe)$/, "js"],
  [/^(?:python[\d.]*|pytest|py\.test|unittest|nose2|tox|nox|behave|robot)$/, "py"],
  [/^(?:go|gotestsum)$/, "go"],
  [/^(?:cargo|nextest)$/, "rs"],
  [/^(?:ruby|rspec|rake)$/, "rb"],
  [/^(?:php|phpunit|pest)$/, "php"],
];

/** Languages that a claim names: “all Python tests pass”. */
const SAID: readonly (readonly [said: RegExp, ending: string])[] = [
  [/\b(?:javascript|typescript|node|jest|vitest)\b|\.[cm]?[jt]sx?\b/i, "js"],
  [/\b(?:python|pytest)\b|\.py\b/i, "py"],
];

/** Programs that a claim names: “pytest passes” is not shown by `python -m unittest`. */
const NAMED: readonly (readonly [said: RegExp, line: RegExp])[] = [
  [/\bpytest\b/i, /\bpytest\b/],
  [/\bjest\b/i, /\bjest\b/],
  [/\bvitest\b/i, /\bvitest\b/],
];

/** Programs that take any other word as a part of the names of test files. */
const FILTERED = /^(?:jest|vitest|ava|bun|npm|pnpm|yarn)$/;

export function saysAll(claim: string): boolean {
  return /\b(?:all|every|entire|whole|full|suites?)\b/i.test(claim);
}

/** Why the observed runs may not be of the workspace's own tests, or only of some of them. */
export function misplaced(claim: string, runs: readonly CommandObservedBody[], account: Account): string | undefined {
  const { files, root } = account;
  const known = files?.body.tests?.files;
  const seen = runs.map((run) => ranAt(run, account, known ?? []));
  const last = seen.at(-1);
  if (root === undefined || last === undefined) return undefined;
  if (runs.at(-1)?.cwd == null) return "the place of the last test run is not known";
  if (last.place === undefined) return "the last test run was outside the workspace";
  const unseen = NAMED.find(([said, line]) => said.test(claim) && !runs.some(({ argv }) => line.test(argv.join(" "))));
  if (unseen !== undefined) return `${unseen[0].exec(claim)?.[0] ?? "the command"} itself was not seen`;
  if (known === undefined && last.place === "") return last.kind === undefined ? undefined : "which test files there are is not known";
  if (known === undefined) return `the last test run was in ${last.place}`;
  const covered = new Set(seen.flatMap((each) => coveredBy(each, known)));
  const isWhole = last.place === "" && last.targets.length === 0 && last.kind === undefined;
  const meant = endingsMeant(claim, account, known, isWhole);
  if (known.length === 0 || (isWhole && meant.length === 0)) return undefined;
  const endings = new Set([...(isWhole ? [] : [...covered].map(endingOf)), ...meant]);
  const left = known.filter((file) => !covered.has(file) && (endings.size === 0 || endings.has(endingOf(file))));
  const [first] = left;
  if (first === undefined) return undefined;
  const said = last.targets.length > 0 ? last.targets : last.place === "" ? [] : [last.place];
  if (said.length > 0 && said.every((path) => claim.includes(path) && (path.length > 2 || claim.includes(`${path}/`)))) return undefined;
  const isOfPart = !saysAll(claim) && last.targets.length === 0 && last.place !== "" && isOwnPart(last.place, account);
  return isOfPart ? undefined : `the test runs seen did not include ${first}`;
}

/** The kinds of test files that a claim is about: those it names, those of the changed code, or all. The project's command decides what is all. */
function endingsMeant(claim: string, { files }: Account, known: readonly string[], isWhole: boolean): readonly string[] {
  const named = SAID.flatMap(([said, ending]) => (said.test(claim) ? [ending] : []));
  if (named.length > 0) return named;
  const there = new Set(known.map(endingOf));
  if (saysAll(claim) && !isWhole) return [...there];
  const changed = (files?.body.changes ?? []).filter(({ path }) => !isOwn(path)).map(({ path }) => endingOf(path));
  return changed.filter((ending) => there.has(ending));
}

/** A part of the workspace that was there before, and in which all changes are. */
function isOwnPart(place: string, { files }: Account): boolean {
  const changes = (files?.body.changes ?? []).filter(({ path }) => !isOwn(path) && !isDocument(path));
  return changes.every(
    ({ path, kind }) => path.startsWith(`${place}/`) && !(kind === "added" && /\/package\.json$|\/[\w.]+\.toml$/.test(path)),
  );
}

function coveredBy({ place, targets, kind, inside }: Ran, known: readonly string[]): readonly string[] {
  if (place === undefined) return [];
  const there = new Set(known.map(endingOf));
  const kinds = kind !== undefined ? [kind] : inside.length === 0 && there.size === 1 ? [...there] : inside;
  const some = known.filter((file) => isWithin(file, place) && kinds.includes(endingOf(file)));
  return targets.length === 0 ? some : some.filter((file) => targets.some((target) => isWithin(file, target)));
}

function isWithin(file: string, folder: string): boolean {
  return folder === "" || file === folder || file.startsWith(`${folder}/`);
}

function endingOf(path: string): string {
  return /\.(?:[cm]?[jt]sx?)$/.test(path) ? "js" : path.slice(path.lastIndexOf(".") + 1);
}

function ranAt(run: CommandObservedBody, account: Account, known: readonly string[]): Ran {
  const { argv, cwd } = run;
  const at = placeIn(cwd ?? "", account);
  const words = programsIn(argv).flatMap((each) => each.slice(1));
  const named = optionIn(words);
  const place =
    named === undefined || cwd === null
      ? at
      : placeIn(resolvePath(named.replace(/\/[\w.-]+\.(?:toml|json|[cm]?[jt]s)$/, ""), cwd), account);
  const targets = [...words.filter((word) => !word.startsWith("-") && word !== named && word !== "."), ...textsIn(argv)]
    .flatMap((word) => (cwd === null ? [] : targetsOf(word, cwd, account, known)))
    .filter((target) => target !== "");
  const kind = kindOf(argv);
  return { place, targets: [...targets, ...filteredBy(argv, known)], kind, inside: kind === undefined ? kindsInside(run, account) : [] };
}

/** The kinds of tests that ran during a command. */
function kindsInside({ startedAt, durationMs }: CommandObservedBody, { commands }: Account): readonly string[] {
  if (startedAt === null || durationMs === null) return [];
  return commands.flatMap(({ body: { argv, category, startedAt: from } }) =>
    category === "test" && from !== null && from >= startedAt && from <= startedAt + durationMs ? (kindOf(argv) ?? []) : [],
  );
}

/** What a word selects: a file, a folder, a module (`tests.test_sum`), or a single test, which covers no file (`a_test.py::test_b`). */
function targetsOf(word: string, cwd: string, account: Account, known: readonly string[]): readonly string[] {
  const [path = "", single] = word.replace(/\/\.\.\.$/, "").split(/::(.*)/s);
  const target = placeIn(resolvePath(path, cwd), account);
  if (target === undefined) return [];
  if (known.some((file) => isWithin(file, target))) return [single === undefined ? target : word];
  if (/[*?[\]{}]/.test(target)) return matchedBy(target, known);
  const dotted = target.replaceAll("/", ".");
  const module = known.find((file) => dotted === moduleOf(file) || dotted.startsWith(`${moduleOf(file)}.`));
  return module === undefined ? [] : [dotted === moduleOf(module) ? module : word];
}

const WILD: ReadonlyMap<string, string> = new Map([
  ["**/", "(?:.*/)?"],
  ["**", ".*"],
  ["*", "[^/]*"],
  ["?", "[^/]"],
]);

/** The files that a pattern matches, or the pattern, which covers no file. */
function matchedBy(pattern: string, known: readonly string[]): readonly string[] {
  if (/[[\]{}]/.test(pattern)) return [pattern];
  const parts = pattern.split(/(\*\*\/?|[*?])/).map((part) => WILD.get(part) ?? part.replace(/[.+^$()|\\]/g, "\\$&"));
  const matches = new RegExp(`^${parts.join("")}$`);
  const found = known.filter((file) => matches.test(file));
  return found.length === 0 ? [pattern] : found;
}

function moduleOf(file: string): string {
  return file.replace(/\.\w+$/, "").replaceAll("/", ".");
}

/** The texts in a program that an interpreter was given: `node -e 'require("./sum.test.js")'`. */
function textsIn(argv: readonly string[]): readonly string[] {
  return codeIn(argv).flatMap((code) => [...code.matchAll(/(["'])([^"']+)\1/g)].map(([, , text = ""]) => text));
}

/** The files whose names contain a word, if it is not in all of them. */
function filteredBy(argv: readonly string[], known: readonly string[]): readonly string[] {
  return programsIn(argv).flatMap(([name = "", ...args]) => {
    if (!FILTERED.test(name)) return [];
    const words = args.filter((word) => !word.startsWith("-") && !/^(?:run|run-script|test|t|tst|watch)$/.test(word));
    const found = words.map((word) => (/^[\w./-]+$/.test(word) ? known.filter((file) => file.includes(word)) : [word]));
    return found.flatMap((files) => (files.length === known.length ? [] : files));
  });
}

function kindOf(argv: readonly string[]): string | undefined {
  const names = programsIn(argv).map(([name = ""]) => name);
  return LANGUAGES.find(([program]) => names.some((name) => program.test(name)))?.[1];
}

/** The text that an interpreter was given, other than a shell. */
export function codeIn(argv: readonly string[]): readonly string[] {
  const [name = "", ...args] = argv;
  if (!/^(?:node|bun|deno|python[\d.]*|ruby|perl|php)$/.test(nameOf(name))) return [];
  const at = args.findIndex((word) => /^(?:-[a-zA-Z]*[ecp]|--eval|--print)$/.test(word) && !(nameOf(name) === "node" && word === "-c"));
  const end = args.findIndex((word) => !word.startsWith("-"));
  return at === -1 || (end !== -1 && end < at) ? [] : [args[at + 1] ?? ""];
}

function optionIn(words: readonly string[]): string | undefined {
  for (const [index, word] of words.entries()) {
    const [name = "", value] = word.split(/=(.*)/s);
    if (!ELSEWHERE.test(name)) continue;
    const said = value ?? words[index + 1];
    if (said !== undefined && /[/.]|^[\w-]+$/.test(said)) return said;
  }
  return undefined;
}

function placeIn(path: string, { root = "" }: Account): string | undefined {
  if (path === root) return "";
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
}
