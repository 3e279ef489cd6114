/** Patterns by which claims are recognized. */

const IRREGULAR =
  "ran|re-?ran|wrote|rewrote|written|made|built|rebuilt|set up|put|took|sent|did(?! not|n't)|done|got|kept|left|cut|brought|gave|held|split|undid|found|read|saw|went|fixed";
/** A verb in the past, or a participle. */
export const PAST = `(?:(?!(?:need|speed|feed|seed|indeed|exceed|proceed|succeed|based|embed|hundred|shared|nested|unused|unchanged|failed|supposed)\\b)\\w{2,}ed|${IRREGULAR})`;
const ADVERBS =
  "(?:(?:\\w+ly|so|also|then|now|just|already|both|all|only|too|again|first|next|in addition|this time|have|has|had|been|it|everything),? )*";

/** “Fixed the sum”, “I have also updated it”, “was deleted”, “is now installed”. */
export const DID: readonly RegExp[] = [
  new RegExp(`^(?:[✅✔☑] ?)*${ADVERBS}(?:(?:I|we)(?:'ve|’ve)? )?${ADVERBS}(${PAST})\\b`, "i"),
  new RegExp(`^\\S+\\.\\w+ ${ADVERBS}(${PAST})\\b`, "i"),
  new RegExp(`\\b(?:I|we)(?:'ve|’ve)? ${ADVERBS}(${PAST})\\b`, "i"),
  new RegExp(`\\b(?:was|were|been|has|have|had|got|is|are|it's|they're|'s) ${ADVERBS}(${PAST})\\b`, "i"),
];

/** Passives that describe code or its history. */
export const DESCRIBES =
  /\b(?:is|are) (?:\w+ly |also |only |always |then )*(?:called|used|defined|passed (?:to|in|as|by)|based|stored|located|declared|required|needed|named|sorted|returned|thrown|raised|computed|calculated|exported|imported|expected|supposed|designed|intended|documented|allowed|considered|known|subtracted|divided|multiplied|negated|inverted|swapped|reversed)\b|\b(?:was|were|been) (?:\w+ly )?(?:introduced|caused|(?:committed|added|written|made|changed) (?:in|by|before|earlier|previously|upstream|already|long))\b/i;

export const TESTS = /\b(?:tests?|test suites?|suites?|specs?|pytest|jest|vitest|unittests?)\b/i;
/** “The test passes 1 to `sum`” is not about its result. */
export const GOOD =
  /\b(?:pass(?:es|ed|ing)?\b(?!\s+(?:an?\s|the\s|its\s|[\d`"'[{]|\w+\s+(?:in)?to\s))|succeed(?:s|ed)?|successful(?:ly)?|green|all ok|all clear|fine|good|exit(?:s|ed)? (?:with )?(?:code |status )*(?:0|zero)|(?:returns?|returned) (?:0|zero))\b/i;
/** The same claim in the most frequent other languages, and as a mark. */
export const ELSEWISE =
  /\btests?\b.*(?:\bbestanden\b|\bgrün\b|\blaufen (?:alle )?durch\b|\bpas(?:an|aron|sent)\b|\bréussi|✅|✔)|(?:✅|✔)[^.]*\btests?\b|\b(?:pruebas|essais)\b.*\b(?:pasan|pasaron|réussi)|(?:测试|測試|テスト).*(?:通过|通過|成功|パス)|тест\S* (?:прош|проход)/i;

/** A state that is said to be reached. */
export const STATE =
  /\b(?:now|works?|working|clean(?:ly)?|ready|complete(?:ly)?|finished|correct(?:ly)?|properly|as (?:expected|intended|required)|up[- ]to[- ]date|safe(?:ly)?|secure|available|live|running|in place|fully|everything|solved|perfect(?:ly)?|checks? out|types? check|types? are|type-?checks?|compiles?|builds|lints?|linter|coverage|faster|slower|smaller|performance|CI|pipeline|no longer|any ?more|robust|gone|eliminated|production|(?:is|are|looks?|seems?) (?:right|ok|okay|valid|stable|compatible|healthy|sound|well|great)|identical|equivalent|matches|handles|supports?|guarantees?|ensures?|prevents?|never|always|keeps?|remains?|stays?|preserves?|on (?:the )?(?:\S+ )?branch|branch|v\d+)\b|[✅✔☑🟢💯👍🎉]|\d ?%|\d+(?:\.\d+)? ?x\b|\b\d+ of \d+\b|\b\d+\/\d+\b/iu;

/** “The problem disappeared”, “the server started”. */
export const HAPPENED = new RegExp(
  `\\b(?:the|it|they|this|that|everything|all|an?|my|your|our|its|there)\\b(?: [\\w-]+){0,4}? (?!(?:called|named|used|needed|expected|defined|required|typed|related|introduced|caused|passed|committed|skipped)\\b)(${PAST})\\b`,
  "i",
);

/** Says by itself that something is done or is there, wherever it stands. */
export const SETTLED =
  /\b(?:fixed|done|all set|resolved|solved|completed|finished|implemented|deployed|deleted|renamed|installed|updated|created|verified|confirmed|tested|accomplished|success\w*|commit (?:is |was )?[0-9a-f]{7,40}|(?:the|a|two|three|\d+) new (?:\w+ )?(?:tests?|files?|functions?|methods?|class(?:es)?|options?|flags?|commands?|endpoints?|branch))\b|\bcommit\b.*\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/i;

/** Says in the present that something other than code is there, or is so: “My commit contains the fix”, “the suite is happy”. */
export const PRESENT =
  /^(?:(?:the|my|our|this|that|its|a|an|new|all|every|each|both|regression|unit|there (?:is|are)) )*(?:suites?|commits?|git|git history|history|remote|origin|diff|readme(?:\.md)?|docs?|documentation|changelog|tests?|specs?|server|build server|app|application|endpoint|service|deployment|database|migration|output|change|fix|working tree|package)\b(?!.*\b(?:wrong|fail\w*|broken|missing|incorrect|bugs?|errors?|red|outdated|stale|unclear|empty|old|simple|small|easy|trivial|minimal|straightforward|should|would|could|calls?|imports?|expects?|used?|uses|subtracts?)\b).*\b(?:is|are|has|have|contains?|holds?|covers?|exists?|explains?|describes?|documents?|mentions?|agrees?|boots?|starts?|answers?|responds?|includes?|shows?)\b|^there (?:is|are) (?:an? |now )*(?:\w+ )?tests?\b(?!.*\bfail)|\b(?:it|this|that) behaves\b|\bproven\b|\b(?:is|are|it's) (?:on|in|under) (?:origin|the remote|git|version control|the repo(?:sitory)?)\b|^they do$/i;

/** What was measured, counted, or happened elsewhere: no rule sees it. */
export const BEYOND =
  /\d ?(?:%|percent\b)|\bcoverage\b|\b(?:faster|slower|performance|benchmark\w*|speed\w*)\b|\b(?:production|staging|windows|mac ?os|browsers?|mobile|CI|pipeline|github|gitlab|servers?|docker|cloud|remote)\b|\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|many|several|multiple|hundred\w*) times\b|\btwice\b|\bevery time\b|\breviewed by\b|\bapproved\b/i;

const MADE =
  "pull requests?|merge requests?|PRs?|MRs?|branch(?:es)?|backups?|deployments?|issues|tickets?|benchmarks?|snapshots?|artifacts?|screenshots?|stash(?:es)?|forks?|commits|tags|releases|pushes|patches|migrations?";
/** These are also verbs: “commit it”. */
const MADE_OR_DO = "commit|push|release|tag|merge|deploy|patch|issue|revert|rollback";

/**
 * What is there only if something was done: “see the commit”, “the other two commits”. “A pull request” and “any issues” need not be there.
 */
export const PRESUPPOSES = new RegExp(
  `(?<!\\b(?:an?|any|another|no|further)(?: [\\w-]+)? )\\b(?:${MADE})\\b|\\b(?:the|this|that|these|those|my|our|your|its|his|her|their|last|latest|previous|next|new|first|second|third|same|other|\\w+'s)(?: [\\w-]+){0,2}? (?:${MADE_OR_DO})\\b(?! (?:it|this|that|them|the|and|or|to)\\b)`,
  "i",
);

/** A line that says how something ended. */
const REPORTS =
  /\b(?:ok|okay|passe[sd]|passing|\d+ pass|pass:? \d+|success\w*|succeeded|succeeds|up[- ]to[- ]date|clean|done|finished|completed?|green|built|deployed|pushed|merged|committed|published|installed|created|exit(?: code)?:? 0|(?:0|no) (?:errors?|failures?|failed|problems?|issues|warnings?|vulnerabilities))\b/i;
const CODED =
  /[{};=`]|\w\(|=>|^\s*(?:\/\/|\/\*|\*|#|<|@)|^\s*(?:return|import|from|const|let|var|def|class|func|fn|if|else|assert|expect|export|it|test|describe)\b/;

/** Whether a line of a code block, or code in a sentence, is a result and not code. */
export function isOutcome(line: string): boolean {
  return REPORTS.test(line) && !CODED.test(line);
}

/** An all-clear may contain a negation: “0 failed”, “no failures”. */
export const ALL_CLEAR =
  /\b(?:0|no|none|zero|without(?: any)?) (?:\w+ ){0,2}?(?:fail(?:ed|ing|s|ures?)?|errors?|regressions?|problems?|issues?|warnings?|bugs?|conflicts?|leaks?|vulnerabilit(?:y|ies)|complaints?)\b|\bnot (?:a single|one|any) (?:\w+ ){0,2}?(?:fail\w*|error\w*|problem\w*|issue\w*)\b|\bnothing (?:fails?|failed|broke|breaks|is broken|is missing|crashe[sd])\b|\b(?:does|do|did)(?:n't| not) (?:fail|break|crash)\b/gi;

/** Words that hardly any other language has. */
const ENGLISH =
  /\b(?:the|are|were|it|it's|its|this|that|these|those|of|and|for|with|you|your|my|not|by|from|there|here|what|how|if|but|nothing|to|have|has|been|can|could|should|would|will|i've|i'm|we|they|them|which|now|two|fails?|wrong)\b|\bI\b/i;
const FOREIGN =
  /(?<!['’])\b(?:der|das|und|ist|sind|nicht|wurden?|ich|habe|alle|alles|jetzt|mit|für|le|la|les|une?|est|sont|tous|toutes|et|avec|j'ai|el|los|las|una|todos|todas|ahora|il|lo|gli|che|di|ho|tutti|tutto|sono|del|della|os|uma|não|são|foram|het|een|zijn|ik|det|och|är|jag|jest|wszystkie|nie|ve|tüm|semua|dan)\b/i;
/** Headings and answers of a word or two. */
const COMMON = new Set(
  `summary changes change changed files file notes note next steps step results result details before after overview what why how verification
  verified tests test testing usage example examples root cause problem fix solution background ok okay yes no sure hello hi thanks thank
  you welcome nothing instead done finished complete completed fixed explanation conclusion answer status reason key points main todo
  check checks name value type description item area optional output command commands code quoted recommended recommendations limitations caveats known issues open questions`.split(
    /\s+/,
  ),
);

/** Whether a sentence without a known claim can be read: it is English, or has only names. */
export function isReadable(sentence: string): boolean {
  const words = sentence.match(/[\p{L}\p{M}'’]+(?:[./_-][\p{L}\p{N}_]+)*/gu) ?? [];
  const plain = words.filter((word) => /^[\p{L}\p{M}'’]+$/u.test(word) && !/^(?:CODE|QUOTE)$/.test(word));
  if (plain.some((word) => /[^\p{Script=Latin}'’\p{M}]/u.test(word))) return false;
  if (plain.filter((word) => /[^\x20-\x7e’]/.test(word)).length * 4 > plain.length) return false;
  if (plain.every((word) => COMMON.has(word.toLowerCase()))) return true;
  return ENGLISH.test(sentence) && !FOREIGN.test(sentence);
}

/** Whether a known claim has foreign words in it. */
export function isForeign(text: string): boolean {
  return FOREIGN.test(text) || /(?!\p{Script=Latin})\p{L}/u.test(text);
}
