// Prints every sentence that uses a word which docs/words.md rejects: in pages, comments, messages, help and test titles.
// `npm run lexicon -- src/pure` checks one folder or file.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { proseOf } from "./prose.mjs";

const root = join(fileURLToPath(import.meta.url), "../..");

/** What not to write, what to write instead, and if needed the files in which the word has a meaning of its own. */
export const lexicon = [
  [/\b(?:tell(?:s|ing)?|told)\b/i, "report, say, show, record; distinguish (for tell apart)"],
  [/\b(?:go(?:es|ing)? on|went on|gone on)\b/i, "continue, resume"],
  [
    /(?<!\bthere )(?<!\bthere )\b(?:is|are|was|were) no (?!longer|more|other|less|fewer|better|worse|faster|slower|larger|different|matter)/i,
    "is not a …; there is no …; has no …",
  ],
  [/\b(?:nobody|somebody|anybody|everybody|whoever|whomever)\b/i, "no one; a user; the caller; another process"],
  [/\bof (?:ours|theirs|yours|hers|(?:its|their|your|our|one's|his) own)\b/i, "our, its own, their, your own, in front of the noun"],
  [/\bwhat (?:it|he|they|the agent) (?:is|are|was|were) to (?:do|say)\b/i, "the task; the prompt"],
  [/\b(?:unique|the) beginning of one\b/i, "a unique prefix"],
  [/\b(?:makes?|made) itself again\b/i, "can be regenerated"],
  [/\blast words\b/i, "the last lines it printed"],
  [/\b(?:got|gets?|getting) on(?: with)?\b(?! (?:the|a|stdin))/i, "made progress"],
  [/\b(?:is|are|was|were|be|been|being) looked (?:at|through|up)\b|\blook(?:s|ing)? through\b/i, "is checked, is scanned, is read"],
  [/\bas (?:it is|they are|it was|they were)(?=[.,;:)]|$| and\b)/i, "unchanged, verbatim"],
  [/\bthings?\b/i, "the noun"],
  [
    /\b(?:is|are|was|were|be|been) refused\b(?! by (?:the|a) (?:model|user|agent))/i,
    "is rejected (input), is denied (a permission); say why",
  ],
  [/\bso often\b/i, "n times"],
  [/\bat once\b/i, "immediately; together, in parallel, at the same time"],
  [/\bbeside\b/i, "next to, alongside, in addition to"],
  [/\bcannot be had\b/i, "is not available"],
  [/\b(?:that is|is) what (?:\w+ ){1,4}(?:is|are) for\b/i, "cut it"],
  [
    /(?<!of )\b(?:its|the|their|these|those|with|more|further|all|whose|first|last|and|no|without|own|of|as|argument|command) words\b/i,
    "arguments; text",
    /shell|words\.md/,
  ],
  [
    /(?:^|[.:;(] |\b(?:only|except|even|also|but|and|or|not|save|unless) )where\b(?! (?:to|from|is|are|it (?:comes|came)|they (?:come|came)|people|users))/i,
    "if, when (for a condition)",
  ],
  [/, where (?:there|it|they|one|no|nothing|none|possible|that|this)\b/i, "if, when (for a condition)"],
  [/\banother (?:format|shape|encoding|language)\b/i, "a different format"],
  [/\b(?:thereof|therein|thereby|hereby|wherein|whereby|hence|thus|upon|whilst|lest)\b/i, "an everyday word"],
  [/\b(?:but|save) for (?:the|a|what|those|that|one|its)\b/i, "except for"],
  [/\bof one's\b|\bone's own\b/i, "your, its"],
];

const SOURCES = [
  "README.md",
  "ARCHITECTURE.md",
  "AGENTS.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "docs",
  "src",
  "page",
  "scripts",
  "test",
  "examples",
  "demo",
];
/** They quote what they reject, or hold output of other programs. */
const QUOTES = /^(?:scripts\/lexicon\.mjs|test\/project\/lexicon\.test\.ts|docs\/words\.md|docs\/decisions\/|examples\/.*\.jsonl)/;

/** Every offence in the files below the given paths: `{ file, line, found, instead, text }`. */
export function offences(paths = SOURCES) {
  return paths.flatMap(filesBelow).flatMap((file) => {
    if (QUOTES.test(file)) return [];
    return [...proseOf(file, readFileSync(join(root, file), "utf8"))].flatMap(({ line, text }) =>
      lexicon.flatMap(([pattern, instead, except]) => {
        const found = except?.test(file) ? undefined : pattern.exec(text)?.[0].trim();
        return found === undefined ? [] : [{ file, line, found, instead, text }];
      }),
    );
  });
}

function filesBelow(path) {
  const full = join(root, path);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (stat.isFile()) return [relative(root, full)];
  return readdirSync(full, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:md|mjs|tsx?)$/.test(file) && !file.includes("node_modules"))
    .map((file) => relative(root, join(full, file)).replaceAll("\\", "/"))
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const paths = process.argv.slice(2);
  const found = offences(paths.length > 0 ? paths : undefined);
  for (const { file, line, found: word, instead, text } of found) {
    process.stdout.write(`${file}:${line}: “${word}” → ${instead}\n    ${text.trim().slice(0, 160)}\n`);
  }
  process.stderr.write(`${found.length} offences\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
