import type { FilePatch } from "./patch-files.ts";

export interface Weakening {
  readonly what: string;
  readonly line: number;
  readonly excerpt: string;
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

const ASSERTION =
  /\b(?:expect|assert\w*|should|XCTAssert\w*|EXPECT_\w+|ASSERT_\w+|REQUIRE|CHECK|assert_eq!|assert_ne!|assert!|verify|fail)\b\s*[.(!]|\bassert\s+\S|\.should\b|\bt\.(?:Error|Errorf|Fatal|Fatalf|is|ok|deepEqual|equal)\(|\braises\b|\brefute\b|\brequire\.\w+\(/;

/** Assertions that always hold. */
const EMPTY =
  /\bexpect\(\s*(true|1)\s*\)\s*\.\s*(?:toBe|toEqual)\(\s*\1\s*\)|\bassert(?:True)?\s*\(?\s*(?:True|true|1\s*==\s*1)\s*\)?\s*;?\s*$|\bassert\.(?:ok|equal)\(\s*(?:true|1\s*,\s*1)\s*\)|\bassert!\(\s*true\s*\)/;

const COMMENT = /^\s*(?:\/\/|#(?!\[)|\*|\/\*|--)/;

/** What a patch weakens in an existing test file. An undefined patch weakens nothing that is known. */
export function weakenings(file: FilePatch | undefined): readonly Weakening[] {
  if (file === undefined || file.change !== "modified") return [];
  const skip = SKIPS.find(([each]) => each.test(file.path))?.[1];
  const skippedBefore = skip === undefined ? 0 : file.removed.filter(({ text }) => skip.test(text)).length;
  const skips = skip === undefined ? [] : file.added.filter(({ text }) => skip.test(text) && !COMMENT.test(text));
  const found: Weakening[] = skips
    .slice(skippedBefore)
    .map(({ line, text }) => ({ what: "a test is skipped", line, excerpt: text.trim() }));
  for (const { line, text } of file.added)
    if (EMPTY.test(text)) found.push({ what: "an assertion that always holds", line, excerpt: text.trim() });
  const asserts = (text: string) => ASSERTION.test(text) && !COMMENT.test(text) && !EMPTY.test(text);
  const gone = file.removed.filter(({ text }) => asserts(text));
  const come = file.added.filter(({ text }) => asserts(text));
  if (gone.length > come.length) {
    const lost = gone.length - come.length;
    const first = gone.find(({ text }) => !come.some((each) => each.text.trim() === text.trim())) ?? gone[0];
    found.push({ what: `${lost} fewer assertions`, line: first?.line ?? 0, excerpt: first?.text.trim() ?? "" });
  }
  return found;
}
