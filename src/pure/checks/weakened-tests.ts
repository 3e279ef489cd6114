import type { FilePatch } from "./patch-files.ts";

export interface Weakening {
  readonly what: string;
  readonly line: number;
  readonly excerpt: string;
  /** An existing test certainly no longer counts. False: a reviewer must decide. */
  readonly isCertain: boolean;
}

/** How tests are skipped, by language. */
const SKIPS: readonly (readonly [file: RegExp, skip: RegExp])[] = [
  [
    /\.(?:[cm]?[jt]sx?|vue|svelte)$/,
    /\b(?:it|test|describe|suite|context|bench)\s*\.\s*(?:skip|todo|skipIf|fails|failing|only)\b|\bx(?:it|test|describe|context)\s*\(|\bf(?:it|describe)\s*\(|\bthis\.skip\(\)|\bskip:\s*true\b|\btodo:\s*true\b/,
  ],
  [
    /\.py$/,
    /@(?:pytest\.mark\.(?:skip|skipif|xfail)|unittest\.(?:skip|skipIf|skipUnless|expectedFailure))\b|\bpytest\.(?:skip|xfail)\(|\bself\.skipTest\(|\b__test__\s*=\s*False/,
  ],
  [/\.go$/, /\b[tb]\.(?:Skip|Skipf|SkipNow)\(/],
  [/\.rs$/, /#\[ignore\b/],
  [/\.(?:java|kt|kts|scala|groovy)$/, /@(?:Ignore|Disabled)\b|\bAssumptions?\.|\bassumeTrue\(/],
  [/\.rb$/, /\b(?:xit|xdescribe|xcontext|pending|skip)\b/],
  [/\.php$/, /\bmarkTest(?:Skipped|Incomplete)\(/],
  [/\.(?:cs|fs)$/, /\[\s*Ignore\b|\bSkip\s*=\s*"/],
  [/\.(?:ex|exs)$/, /@(?:module)?tag\s+:?skip/],
  [/\.swift$/, /\bXCTSkip\b/],
  [/\.(?:sh|bats)$/, /^\s*skip\b/],
];

export const ASSERTION =
  /\b(?:expect|assert\w*|should|XCTAssert\w*|EXPECT_\w+|ASSERT_\w+|REQUIRE|CHECK|assert_eq!|assert_ne!|assert!|verify|fail)\b\s*[.(!]|\bassert\s+\S|\.should\b|\bt\.(?:Error|Errorf|Fatal|Fatalf|is|ok|deepEqual|equal)\(|\braises\b|\brefute\b|\brequire\.\w+\(/;

/** Assertions that always hold. */
const EMPTY =
  /\bexpect\(\s*(true|1)\s*\)\s*\.\s*(?:toBe|toEqual)\(\s*\1\s*\)|\bassert(?:True)?\s*\(?\s*(?:True|true|1\s*==\s*1)\s*\)?\s*;?\s*$|\bassert\.(?:ok|equal)\(\s*(?:true|1\s*,\s*1)\s*\)|\bassert!\(\s*true\s*\)/;

export const COMMENT = /^\s*(?:\/\/|#(?!\[)|\*|\/\*|--)/;

/** What a patch weakens in an existing test file. An undefined patch weakens nothing that is known. */
export function weakenings(file: FilePatch | undefined): readonly Weakening[] {
  if (file === undefined || file.change !== "modified") return [];
  const skip = SKIPS.find(([each]) => each.test(file.path))?.[1];
  const skippedBefore = skip === undefined ? 0 : file.removed.filter(({ text }) => skip.test(text)).length;
  const skips = skip === undefined ? [] : file.added.filter(({ text }) => skip.test(text) && !COMMENT.test(text));
  const found: Weakening[] = skips
    .slice(skippedBefore)
    .map(({ line, text }) => ({ what: "a test is skipped", line, excerpt: text.trim(), isCertain: skipsExisting(file, line, text) }));
  for (const { line, text } of file.added)
    if (EMPTY.test(text)) found.push({ what: "an assertion that always holds", line, excerpt: text.trim(), isCertain: false });
  const asserts = (text: string) => ASSERTION.test(text) && !COMMENT.test(text) && !EMPTY.test(text);
  const gone = file.removed.filter(({ text }) => asserts(text));
  const come = file.added.filter(({ text }) => asserts(text));
  if (gone.length > come.length) {
    const lost = gone.length - come.length;
    const first = gone.find(({ text }) => !come.some((each) => each.text.trim() === text.trim())) ?? gone[0];
    found.push({ what: `${lost} fewer assertions`, line: first?.line ?? 0, excerpt: first?.text.trim() ?? "", isCertain: false });
  }
  return found;
}

/** Without a condition: `skipIf`, and a `skip()` in the body of a test, may be for another platform. */
const ALWAYS =
  /\b(?:it|test|describe|suite|context)\s*\.\s*(?:skip|todo)\s*\(|\bx(?:it|test|describe|context)\s*\(|@pytest\.mark\.skip(?!if)\b|@unittest\.skip(?!If|Unless)\b|#\[ignore\b|@(?:Ignore|Disabled)\b/;

/** Whether the skip is on a test that ran before: its title is in a removed line, or the line below was there before. */
function skipsExisting({ added, removed }: FilePatch, line: number, text: string): boolean {
  if (!ALWAYS.test(text)) return false;
  const title = /["'`]([^"'`]+)["'`]/.exec(text)?.[1];
  if (!/^\s*[@#]/.test(text)) return title !== undefined && removed.some((each) => each.text.includes(title));
  const own = new Map(added.map((each) => [each.line, each.text]));
  let below = line + 1;
  while (/^\s*[@#]/.test(own.get(below) ?? "")) below++;
  const next = own.get(below)?.trim();
  return next === undefined || removed.some((each) => each.text.trim() === next);
}

/** A script that runs the tests of a package, also in a file without line breaks. */
const TEST_SCRIPT = /(?:^|[{,])\s*"((?:pre|post)?test(?::[\w-]+)?)"\s*:\s*"((?:[^"\\]|\\.)*)"/g;
const RUNS_NOTHING = /^(?::|true|exit 0|(?:echo|printf)\b[^&|;]*(?:(?:&&|;)\s*(?:true|exit 0)\s*)?)$/;
const ALWAYS_PASSES = /(?:\|\||;)\s*(?:true|:|exit 0|echo\b[^&|;]*)\s*$/;

export function isPackageFile(path: string): boolean {
  return /(?:^|\/)package\.json$/.test(path);
}

/** Test scripts in package.json that passed or failed by their tests, and now always pass. */
export function weakenedScripts(file: FilePatch | undefined): readonly Weakening[] {
  if (file === undefined || !isPackageFile(file.path)) return [];
  const scripts = (lines: FilePatch["added"]) =>
    lines.flatMap(({ line, text }) =>
      [...text.slice(0, 10_000).matchAll(TEST_SCRIPT)].map(([, name = "", script = ""]) => ({ name, script: script.trim(), line, text })),
    );
  const isEmpty = (script: string) => RUNS_NOTHING.test(script) || ALWAYS_PASSES.test(script);
  const before = scripts(file.removed);
  return scripts(file.added).flatMap(({ name, script, line, text }) => {
    const was = before.find((each) => each.name === name);
    if (!isEmpty(script) || was === undefined || isEmpty(was.script)) return [];
    return [{ what: `the script ${name} always passes`, line, excerpt: text.trim(), isCertain: true }];
  });
}
